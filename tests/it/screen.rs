//! The real binary on a pseudo-terminal with a screen behind it: what a person would see, cell by
//! cell, and every byte that was sent. Nothing here sleeps: it waits for what is to be seen, or for
//! the terminal to fall quiet.

use crate::support::Home;
use memd::tui::input::{Chord, Key};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long a test waits before it fails. Long, since the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(30);
/// A terminal that got no byte for so long is quiet.
const QUIET: Duration = Duration::from_millis(100);

/// How a program is started on a screen.
pub struct Start {
    program: OsString,
    args: Vec<String>,
    cwd: PathBuf,
    env: Vec<(String, OsString)>,
    size: (u16, u16),
}

impl Start {
    fn new(home: &Home, cwd: &Path, program: &str, args: &[&str]) -> Self {
        let own = |(name, value): (&str, OsString)| (name.to_owned(), value);
        let mut env: Vec<_> = home.env().into_iter().map(own).collect();
        env.push(("TERM".to_owned(), "xterm-256color".into()));
        env.push(("LANG".to_owned(), "C.UTF-8".into()));
        Self {
            program: program.into(),
            args: args.iter().map(|&a| a.to_owned()).collect(),
            cwd: cwd.to_owned(),
            env,
            size: (80, 24),
        }
    }

    /// With this variable.
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.env.retain(|(known, _)| known != name);
        self.env.push((name.to_owned(), value.into()));
        self
    }

    /// Of so many columns and rows.
    pub fn size(mut self, columns: u16, rows: u16) -> Self {
        self.size = (columns, rows);
        self
    }

    /// Starts it.
    pub fn start(self) -> Screen {
        let (columns, rows) = self.size;
        let pair = native_pty_system().openpty(pty_size(self.size)).unwrap();
        let mut command = CommandBuilder::new(&self.program);
        command.args(&self.args);
        command.cwd(&self.cwd);
        command.env_clear();
        for (name, value) in &self.env {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let writer = pair.master.take_writer().unwrap();
        let (send, incoming) = channel();
        let closing = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&closing);
        let thread = std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(n) = reader.read(&mut buffer)
                && n > 0
                && !stop.load(Ordering::SeqCst)
                && send.send(buffer[..n].to_vec()).is_ok()
            {}
        });
        Screen {
            child,
            writer: Some(writer),
            master: Some(pair.master),
            incoming,
            closing,
            reader: Some(thread),
            bytes: Vec::new(),
            parser: vt100::Parser::new(rows, columns, 0),
        }
    }
}

fn pty_size((columns, rows): (u16, u16)) -> PtySize {
    PtySize {
        rows,
        cols: columns,
        pixel_width: 0,
        pixel_height: 0,
    }
}

/// A program on a terminal, and what the terminal shows.
pub struct Screen {
    child: Box<dyn Child + Send + Sync>,
    writer: Option<Box<dyn Write + Send>>,
    master: Option<Box<dyn MasterPty + Send>>,
    incoming: Receiver<Vec<u8>>,
    closing: Arc<AtomicBool>,
    reader: Option<JoinHandle<()>>,
    bytes: Vec<u8>,
    parser: vt100::Parser,
}

impl Screen {
    /// memd with these arguments.
    pub fn memd(home: &Home, cwd: &Path, args: &[&str]) -> Start {
        Start::new(home, cwd, env!("CARGO_BIN_EXE_memd"), args)
    }

    /// A shell with job control, in which `$MEMD` is memd.
    pub fn shell(home: &Home, cwd: &Path) -> Start {
        let args = ["--norc", "--noprofile", "--noediting", "-i"];
        Start::new(home, cwd, "bash", &args)
            .env("PS1", "shell> ")
            .env("MEMD", env!("CARGO_BIN_EXE_memd"))
    }

    /// Takes in what comes within this time; whether anything did. `None`: nothing will any more.
    fn pump(&mut self, within: Duration) -> Option<bool> {
        match self.incoming.recv_timeout(within) {
            Ok(bytes) => {
                self.answer(&bytes);
                self.parser.process(&bytes);
                self.bytes.extend(bytes);
                Some(true)
            }
            Err(RecvTimeoutError::Timeout) => Some(false),
            Err(RecvTimeoutError::Disconnected) => None,
        }
    }

    /// A terminal answers where its cursor is and what it can do.
    fn answer(&mut self, bytes: &[u8]) {
        let asked = |query: &[u8]| bytes.windows(query.len()).any(|w| w == query);
        if asked(b"\x1b[6n") {
            self.send("\x1b[1;1R");
        }
        if asked(b"\x1b[c") {
            self.send("\x1b[?62;22c");
        }
    }

    /// Waits until the screen is as it should be.
    #[track_caller]
    pub fn wait_until(&mut self, what: &str, is: impl Fn(&Self) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !is(self) {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.pump(left) {
                Some(true) => {}
                Some(false) => panic!("{what}: did not come; on the screen:\n{}", self.text()),
                None if is(self) => {}
                None => panic!("{what}: it has ended; on the screen:\n{}", self.text()),
            }
        }
    }

    /// Waits until a text stands on the screen.
    #[track_caller]
    pub fn wait_for(&mut self, text: &str) {
        self.wait_until(&format!("{text:?}"), |s| s.shows(text));
    }

    /// Waits until a text no longer stands on the screen.
    #[track_caller]
    pub fn wait_gone(&mut self, text: &str) {
        self.wait_until(&format!("{text:?} gone"), |s| !s.shows(text));
    }

    /// Waits until decisions count: the footer offers them.
    #[track_caller]
    pub fn wait_ready(&mut self) {
        self.wait_for("a accept");
    }

    /// Waits until no byte has come for a while.
    pub fn quiet(&mut self) {
        let deadline = Instant::now() + PATIENCE;
        while self.pump(QUIET) == Some(true) {
            assert!(Instant::now() < deadline, "it is never quiet");
        }
    }

    /// Takes in what has come by now.
    pub fn take_in(&mut self) {
        while self.pump(Duration::ZERO) == Some(true) {}
    }

    /// Takes in what comes for as long as this; how many bytes it was.
    pub fn listen(&mut self, time: Duration) -> usize {
        let (until, before) = (Instant::now() + time, self.bytes.len());
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || self.pump(left).is_none() {
                return self.bytes.len() - before;
            }
        }
    }

    /// Sends bytes as they are.
    pub fn send(&mut self, bytes: &str) {
        let writer = self.writer.as_mut().unwrap();
        writer.write_all(bytes.as_bytes()).unwrap();
        writer.flush().unwrap();
    }

    /// Presses a key by its name: `a`, `Ctrl-r`, `Space`.
    pub fn press(&mut self, key: &str) {
        self.send(&bytes_of(key));
        if key == "Esc" {
            // The next key must not seem to belong to it.
            self.quiet();
        }
    }

    /// Presses a key, then waits until a text stands on the screen.
    #[track_caller]
    pub fn press_for(&mut self, key: &str, text: &str) {
        self.press(key);
        self.wait_for(text);
    }

    /// Pastes a text as a terminal does.
    pub fn paste(&mut self, text: &str) {
        self.send(&format!("\x1b[200~{text}\x1b[201~"));
    }

    /// Types a line into a shell.
    pub fn line(&mut self, line: &str) {
        self.send(&format!("{line}\r"));
    }

    /// What stands on the screen.
    pub fn text(&self) -> String {
        self.rows().join("\n")
    }

    /// The rows of the screen, without spaces at their ends.
    pub fn rows(&self) -> Vec<String> {
        let columns = self.screen().size().1;
        let rows = self.screen().rows(0, columns);
        rows.map(|row| row.trim_end().to_owned()).collect()
    }

    /// One row, from 0.
    pub fn row(&self, n: usize) -> String {
        self.rows().get(n).cloned().unwrap_or_default()
    }

    /// Whether a text stands in one of the rows.
    pub fn shows(&self, text: &str) -> bool {
        self.rows().iter().any(|row| row.contains(text))
    }

    /// The row that holds a text, from 0.
    #[track_caller]
    pub fn row_of(&self, text: &str) -> usize {
        let at = self.rows().iter().position(|row| row.contains(text));
        at.unwrap_or_else(|| panic!("{text:?} is not on the screen:\n{}", self.text()))
    }

    /// The cells of a row: contents and attributes.
    pub fn cells(&self, row: usize) -> Vec<vt100::Cell> {
        let columns = self.screen().size().1;
        let cell = |column| self.screen().cell(row as u16, column).cloned();
        (0..columns).filter_map(cell).collect()
    }

    /// The screen itself, for modes and cursor.
    pub fn screen(&self) -> &vt100::Screen {
        self.parser.screen()
    }

    /// Every byte that came so far.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The terminal's local modes as the line discipline has them: `ICANON`, `ECHO`, `ISIG`.
    pub fn modes(&self) -> String {
        let modes = self.master.as_ref().unwrap().get_termios().unwrap();
        format!("{:?}", modes.local_flags)
    }

    /// Gives the terminal another size.
    pub fn resize(&mut self, columns: u16, rows: u16) {
        let master = self.master.as_ref().unwrap();
        master.resize(pty_size((columns, rows))).unwrap();
        self.parser.screen_mut().set_size(rows, columns);
    }

    /// As [`Screen::resize`], to another size than now; waits until it has answered.
    #[track_caller]
    pub fn resize_seen(&mut self, columns: u16, rows: u16) {
        self.take_in();
        let before = self.bytes.len();
        self.resize(columns, rows);
        self.wait_until("an answer to the size", |s| s.bytes.len() > before);
    }

    /// The program's process.
    pub fn pid(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// The one program that runs in the shell.
    pub fn job(&self) -> u32 {
        let children = format!("/proc/{0}/task/{0}/children", self.pid());
        let children = std::fs::read_to_string(children).unwrap();
        children.trim().parse().unwrap()
    }

    /// Sends the program a signal.
    pub fn signal(&self, signal: Signal) {
        signal_to(self.pid(), signal);
    }

    /// The terminal goes away, as when its window is closed; the exit code.
    pub fn hang_up(mut self) -> u32 {
        self.closing.store(true, Ordering::SeqCst);
        self.writer = None;
        // The reader holds the terminal open until it hears something.
        let (rows, columns) = self.screen().size();
        self.resize(columns - 1, rows);
        self.reader.take().unwrap().join().unwrap();
        self.master = None;
        self.child.wait().unwrap().exit_code()
    }

    /// Waits for its end; the exit code, and the screen as it was left.
    #[track_caller]
    pub fn finish(&mut self) -> u32 {
        let deadline = Instant::now() + PATIENCE;
        while self.pump(PATIENCE).is_some() {
            assert!(
                Instant::now() < deadline,
                "it does not end:\n{}",
                self.text()
            );
        }
        self.child.wait().unwrap().exit_code()
    }

    /// What a program must leave behind: the main screen, a cursor, no modes, a cooked line.
    #[track_caller]
    pub fn assert_given_back(&self) {
        let screen = self.screen();
        assert!(!screen.alternate_screen(), "on the alternate screen");
        assert!(!screen.hide_cursor(), "without a cursor");
        assert!(!screen.bracketed_paste(), "pastes are bracketed");
        let mouse = screen.mouse_protocol_mode();
        assert_eq!(mouse, vt100::MouseProtocolMode::None);
        let modes = self.modes();
        for mode in ["ICANON", "ECHO", "ISIG"] {
            assert!(modes.contains(mode), "{mode} is not in {modes}");
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // A test that failed leaves nothing running.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a process a signal.
pub fn signal_to(pid: u32, signal: Signal) {
    let pid = Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    kill_process(pid, signal).unwrap();
}

/// What a terminal sends for a key.
fn bytes_of(key: &str) -> String {
    let chord: Chord = key.parse().unwrap();
    let plain = match chord.key {
        Key::Char(c) if chord.ctrl => char::from(c as u8 & 0x1f).to_string(),
        Key::Char(c) => c.to_string(),
        Key::Enter => "\r".to_owned(),
        Key::Esc => "\x1b".to_owned(),
        Key::Tab => "\t".to_owned(),
        Key::BackTab => "\x1b[Z".to_owned(),
        Key::Backspace => "\x7f".to_owned(),
        Key::Delete => "\x1b[3~".to_owned(),
        Key::Up => "\x1b[A".to_owned(),
        Key::Down => "\x1b[B".to_owned(),
        Key::Right => "\x1b[C".to_owned(),
        Key::Left => "\x1b[D".to_owned(),
        Key::Home => "\x1b[H".to_owned(),
        Key::End => "\x1b[F".to_owned(),
        Key::PageUp => "\x1b[5~".to_owned(),
        Key::PageDown => "\x1b[6~".to_owned(),
    };
    match chord.alt {
        true => format!("\x1b{plain}"),
        false => plain,
    }
}
