//! Compressed rollouts (`.jsonl.zst`), unpacked as a stream. Offsets are those of the plain text.
//!
//! Never held in memory, never written anywhere. What is damaged is read up to the damage; what
//! unpacks to far more than a transcript does is not read on.

use crate::fs::open_plain;
use crate::source::SourceError;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// What a compressed file begins with.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// No file unpacks to more than this, in bytes.
const MOST: u64 = 8 << 30;
/// A file may always unpack to this many bytes.
const LEAST: u64 = 64 << 20;
/// A file unpacks to at most so many times its own size: text of a session gives a tenth of it.
const RATIO: u64 = 1000;

/// Whether a file that begins with these bytes is compressed.
pub(super) fn is_packed(head: &[u8]) -> bool {
    head.starts_with(&MAGIC)
}

/// Whether a file is compressed.
pub(super) fn is_packed_file(path: &Path) -> io::Result<bool> {
    let mut head = Vec::new();
    open_plain(path)?.take(4).read_to_end(&mut head)?;
    Ok(is_packed(&head))
}

/// The plain text of compressed bytes.
pub(super) struct Unpack<R> {
    input: R,
    decoder: FrameDecoder,
    is_inside: bool,
    given: u64,
    limit: u64,
}

impl<R: BufRead> Unpack<R> {
    /// Of an input of this many bytes.
    pub fn new(input: R, size: u64) -> Self {
        Self {
            input,
            decoder: FrameDecoder::new(),
            is_inside: false,
            given: 0,
            limit: size.saturating_mul(RATIO).clamp(LEAST, MOST),
        }
    }

    /// Begins the next frame; `false` at the end of the input.
    fn begin(&mut self) -> io::Result<bool> {
        while !self.input.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.input) {
                Ok(()) => {
                    self.is_inside = true;
                    return Ok(true);
                }
                Err(error) => self.skip(error)?,
            }
        }
        Ok(false)
    }

    /// Walks over a frame that holds something else.
    fn skip(&mut self, error: FrameDecoderError) -> io::Result<()> {
        let FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
            length, ..
        }) = error
        else {
            return Err(io::Error::other(error));
        };
        let mut rest = (&mut self.input).take(length.into());
        io::copy(&mut rest, &mut io::sink())?;
        Ok(())
    }

    /// Ends a frame whose content was all given.
    fn end(&mut self) -> io::Result<()> {
        self.is_inside = false;
        let told = self.decoder.get_checksum_from_data();
        match told.is_some() && told != self.decoder.get_calculated_checksum() {
            true => Err(io::Error::other("its checksum is another")),
            false => Ok(()),
        }
    }
}

impl<R: BufRead> Read for Unpack<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.is_inside && !self.begin()? {
                return Ok(0);
            }
            if self.decoder.can_collect() > 0 {
                let n = self.decoder.read(into)?;
                self.given += n as u64;
                if self.given > self.limit {
                    return Err(io::Error::other(TooMuch(self.limit)));
                }
                return Ok(n);
            }
            if self.decoder.is_finished() {
                self.end()?;
                continue;
            }
            let one = BlockDecodingStrategy::UptoBlocks(1);
            let done = self.decoder.decode_blocks(&mut self.input, one);
            done.map_err(io::Error::other)?;
        }
    }
}

/// It unpacks to too much.
#[derive(Debug, thiserror::Error)]
#[error("it unpacks to more than {} MiB, which no session does", .0 >> 20)]
struct TooMuch(u64);

/// The plain text of a compressed file, from one byte of it on.
pub(super) fn open(path: &Path, from: u64) -> Result<Unpack<BufReader<File>>, SourceError> {
    let io = |e| SourceError::io(path)(e);
    let file = open_plain(path).map_err(io)?;
    let size = file.metadata().map_err(io)?.len();
    let mut plain = Unpack::new(BufReader::new(file), size);
    // What is damaged before that place ends before it.
    let _ = io::copy(&mut (&mut plain).take(from), &mut io::sink());
    Ok(plain)
}

/// What is known of a compressed file.
#[derive(Debug)]
pub(super) struct Size {
    /// Bytes of plain text that can be read.
    pub plain: u64,
    /// Why there are not more.
    pub damage: Option<String>,
}

/// How much a file unpacks to: as its frames say, or else by unpacking it.
///
/// # Errors
/// When the file cannot be read.
pub(super) fn size(path: &Path) -> Result<Size, SourceError> {
    let told = told_size(path).map_err(SourceError::io(path))?;
    let packed = std::fs::metadata(path)
        .map_err(SourceError::io(path))?
        .len();
    let limit = packed.saturating_mul(RATIO).clamp(LEAST, MOST);
    if let Some(plain) = told.filter(|told| *told <= limit) {
        return Ok(Size {
            plain,
            damage: None,
        });
    }
    let mut plain = open(path, 0)?;
    let mut chunk = vec![0; 64 * 1024];
    let mut size = 0;
    let damage = loop {
        match plain.read(&mut chunk) {
            Ok(0) => break None,
            Ok(n) => size += n as u64,
            Err(error) => break Some(error.to_string()),
        }
    };
    Ok(Size {
        plain: size,
        damage,
    })
}

/// How much all frames of a file say that they hold, without unpacking them; none when one of them
/// does not say, or the file is not whole.
fn told_size(path: &Path) -> io::Result<Option<u64>> {
    let mut file = BufReader::new(open_plain(path)?);
    let mut size = 0;
    while !file.fill_buf()?.is_empty() {
        let mut decoder = FrameDecoder::new();
        if decoder.reset(&mut file).is_err() || decoder.content_size() == 0 {
            return Ok(None);
        }
        // A size that is made up may be any number.
        let Some(sum) = decoder.content_size().checked_add(size) else {
            return Ok(None);
        };
        size = sum;
        if !walk_blocks(&mut file)? {
            return Ok(None);
        }
        // The flag of a checksum is the third bit of the byte behind the magic number; telling the
        // next frame by its own magic number needs no flag.
        let next = file.fill_buf()?;
        if !next.is_empty() && !is_packed(next) {
            file.seek_relative(4)?;
        }
    }
    Ok(Some(size))
}

/// Walks over the blocks of a frame; whether all are there.
fn walk_blocks(file: &mut BufReader<File>) -> io::Result<bool> {
    loop {
        let mut header = [0; 4];
        if file.read_exact(&mut header[..3]).is_err() {
            return Ok(false);
        }
        let header = u32::from_le_bytes(header);
        let (is_last, kind, size) = (header & 1 == 1, header >> 1 & 3, header >> 3);
        let length = if kind == 1 { 1 } else { i64::from(size) };
        let end = file.seek(SeekFrom::Current(length))?;
        if end > file.get_ref().metadata()?.len() {
            return Ok(false);
        }
        if is_last {
            return Ok(true);
        }
    }
}

/// Reads up to where the input is damaged, and says then why it ended.
pub(super) struct UntilDamage<R> {
    /// What is read.
    pub input: R,
    /// Why it ended early.
    pub damage: Option<io::Error>,
}

impl<R: Read> Read for UntilDamage<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.input.read(into) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                self.damage = Some(error);
                Ok(0)
            }
            read => read,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    fn pack(text: &[u8]) -> Vec<u8> {
        compress_to_vec(text, CompressionLevel::Fastest)
    }

    fn unpack(bytes: &[u8]) -> (Vec<u8>, Option<String>) {
        let mut plain = Vec::new();
        let mut unpack = Unpack::new(bytes, bytes.len() as u64);
        let read = unpack.read_to_end(&mut plain);
        (plain, read.err().map(|e| e.to_string()))
    }

    fn size_of(bytes: &[u8]) -> Size {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.zst");
        std::fs::write(&path, bytes).unwrap();
        size(&path).unwrap()
    }

    #[test]
    fn what_was_packed_comes_back_frame_by_frame() {
        let text: Vec<u8> = (0..300_000u32)
            .flat_map(|n| (n % 977).to_le_bytes())
            .collect();
        let packed = pack(&text);
        assert_eq!(unpack(&packed), (text.clone(), None));
        assert_eq!(size_of(&packed).plain, text.len() as u64);
        // A frame of something else, then another frame.
        let other = [&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3][..], &packed].concat();
        let twice = [packed, other].concat();
        assert_eq!(unpack(&twice), ([&text[..], &text].concat(), None));
        let size = size_of(&twice);
        assert_eq!((size.plain, size.damage), (2 * text.len() as u64, None));
    }

    #[test]
    fn what_is_damaged_is_read_up_to_the_damage() {
        let text: Vec<u8> = (0..500_000u32).map(|n| b'a' + (n % 19) as u8).collect();
        let packed = pack(&text);
        let cut = &packed[..packed.len() - 5];
        let (plain, error) = unpack(cut);
        assert!(text.starts_with(&plain) && error.is_some());
        let size = size_of(cut);
        assert!(size.plain <= text.len() as u64 && size.damage.is_some());
        for bytes in [
            &b"no zstd"[..],
            &MAGIC,
            &[0x28, 0xb5, 0x2f, 0xfd, 0xff, 0xff],
        ] {
            assert!(unpack(bytes).1.is_some(), "{bytes:?}");
        }
    }

    #[test]
    fn a_size_that_is_made_up_is_not_believed() {
        // Frames with a size of eight bytes and one empty block each.
        let frame = [
            &MAGIC[..],
            &[0xc0, 0x58],
            &u64::MAX.to_le_bytes(),
            &[1, 0, 0],
        ]
        .concat();
        let size = size_of(&[&frame[..], &frame].concat());
        assert_eq!(size.plain, 0);
    }

    #[test]
    fn a_bomb_is_not_unpacked() {
        // A frame of blocks that each repeat one byte, without a size of the whole.
        let mut bomb = [&MAGIC[..], &[0x00, 0x58]].concat();
        let repeat = (128 * 1024u32) << 3 | 1 << 1;
        for _ in 0..2048 {
            bomb.extend(&repeat.to_le_bytes()[..3]);
            bomb.push(b'x');
        }
        bomb.extend([1, 0, 0]);
        let mut plain = Unpack::new(&bomb[..], bomb.len() as u64);
        let error = io::copy(&mut plain, &mut io::sink()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "it unpacks to more than 64 MiB, which no session does"
        );
        assert!(size_of(&bomb).damage.unwrap().contains("more than 64 MiB"));
    }
}
