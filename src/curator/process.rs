//! Runs another program, bounded in every way: the only place that starts one.
//!
//! No shell: a program and its arguments. The child gets a process group of its own, a scrubbed
//! environment and an empty directory. Input is written and output read by threads, so neither
//! side can block the other. At the end, however it comes, the whole group is gone and the child
//! is reaped. If memd itself is killed, its child and all that this one started are too.

mod environment;
mod group;
mod hold;
mod holder;
mod leftover;
mod signals;

pub use environment::Environment;
pub use hold::{HOLD, become_curator, hold};
pub(super) use leftover::end as end_leftover;

use crate::source::Raw;
use group::Group;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// How often deadline, child and signals are looked at while nothing is written.
const TICK: Duration = Duration::from_millis(20);
/// How long a pipe that outlives the child (a grandchild holds it) may stay silent.
const DRAIN: Duration = Duration::from_millis(300);
/// How long a holder needs beyond the grace of what it holds.
const HOLDERS: Duration = Duration::from_secs(2);
/// Bytes of one read.
const CHUNK: usize = 64 << 10;
/// Bytes of standard error kept, from its end. More than is ever shown, so that a secret is
/// redacted whole before anything is cut.
const STDERR_KEPT: usize = 64 << 10;

/// What is to be run, and within which bounds.
pub(super) struct Job<'a> {
    /// The program, absolute.
    pub program: &'a Path,
    /// Its arguments.
    pub args: &'a [OsString],
    /// What it reads on standard input.
    pub input: &'a str,
    /// Its environment, whole.
    pub env: &'a Environment,
    /// Its working directory.
    pub cwd: &'a Path,
    /// How long it may take.
    pub timeout: Duration,
    /// How long it has to go after SIGTERM.
    pub grace: Duration,
    /// How many bytes it may write on standard output.
    pub max_output: usize,
}

/// How a run came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// By itself.
    Exited(ExitStatus),
    /// It took too long and was killed.
    TimedOut,
    /// It wrote too much and was killed.
    TooMuch,
    /// memd was told to end, and ended it.
    Interrupted,
}

/// What is left of a run.
pub(super) struct Output {
    /// How it ended.
    pub end: End,
    /// Standard output, at most the limit.
    pub stdout: Vec<u8>,
    /// The end of standard error, from the start of a line. Not redacted.
    pub stderr: Raw,
}

enum Piece {
    Out(Vec<u8>),
    Err(Vec<u8>),
}

/// Runs a job to its end.
///
/// # Errors
/// When the program cannot be started or waited for.
pub(super) fn run(job: &Job) -> io::Result<Output> {
    let watch = signals::watch()?;
    let (mut child, is_held) = spawn(job)?;
    let (to, from) = sync_channel(16);
    let group = Group::of(&child);
    feed(&mut child, job.input);
    if let Some(pipe) = child.stdout.take() {
        forward(pipe, to.clone(), Piece::Out);
    }
    if let Some(pipe) = child.stderr.take() {
        forward(pipe, to.clone(), Piece::Err);
    }
    drop(to);
    let mut kept = Kept::default();
    let early = follow(job, &group, &from, &mut kept, &|| watch.is_interrupted());
    // A holder gives the curator its time, and then needs a moment itself.
    let grace = job.grace + if is_held { HOLDERS } else { Duration::ZERO };
    group.end(grace, early.is_some());
    let status = child.wait()?;
    drain(job, &from, &mut kept);
    Ok(Output {
        end: early.unwrap_or(if kept.out.len() > job.max_output {
            End::TooMuch
        } else {
            End::Exited(status)
        }),
        stderr: kept.stderr(),
        stdout: kept.out,
    })
}

fn spawn(job: &Job) -> io::Result<(Child, bool)> {
    use std::os::unix::process::CommandExt;
    let (mut command, is_held) = hold::command(job.env.own(), job.program, job.args, job.grace);
    let child = command
        .env_clear()
        .envs(job.env.iter())
        .env(leftover::MARK, job.cwd)
        .current_dir(job.cwd)
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    Ok((child, is_held))
}

/// Writes the input from a thread. A child that does not read it is its own affair: the thread
/// ends when the pipe's other side is closed.
fn feed(child: &mut Child, input: &str) {
    if let Some(mut pipe) = child.stdin.take() {
        let input = input.to_owned();
        std::thread::spawn(move || {
            // A child may answer without reading; that is no error.
            let _ = pipe.write_all(input.as_bytes());
        });
    }
}

/// Hands on what a pipe gives until it ends or nobody listens. The channel is short: a program
/// that writes without end waits for us and not in our memory.
fn forward(mut pipe: impl Read + Send + 'static, to: SyncSender<Piece>, of: fn(Vec<u8>) -> Piece) {
    std::thread::spawn(move || {
        let mut buffer = vec![0; CHUNK];
        loop {
            match pipe.read(&mut buffer) {
                Ok(0) => break,
                Ok(n) if to.send(of(buffer[..n].to_vec())).is_err() => break,
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
    });
}

/// Collects output until the child has gone and its pipes are closed or silent. Gives the reason
/// for stopping before that.
fn follow(
    job: &Job,
    group: &Group,
    from: &Receiver<Piece>,
    kept: &mut Kept,
    interrupted: &dyn Fn() -> bool,
) -> Option<End> {
    let deadline = Instant::now() + job.timeout;
    let mut open = true;
    let mut heard = Instant::now();
    loop {
        if open {
            match from.recv_timeout(TICK) {
                Ok(piece) => {
                    kept.take(piece);
                    heard = Instant::now();
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => open = false,
            }
        } else {
            std::thread::sleep(TICK);
        }
        let gone = group.leader_has_gone();
        if kept.out.len() > job.max_output {
            return Some(End::TooMuch);
        } else if gone && (!open || heard.elapsed() > DRAIN) {
            return None;
        } else if interrupted() {
            return Some(End::Interrupted);
        } else if Instant::now() >= deadline {
            // A child that has gone answered in time; only its pipes are still held.
            return if gone { None } else { Some(End::TimedOut) };
        }
    }
}

/// What the killed group had still written, standard error above all.
fn drain(job: &Job, from: &Receiver<Piece>, kept: &mut Kept) {
    let until = Instant::now() + DRAIN;
    while kept.out.len() <= job.max_output && Instant::now() < until {
        match from.recv_timeout(TICK) {
            Ok(piece) => kept.take(piece),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
}

/// The output so far.
#[derive(Default)]
struct Kept {
    out: Vec<u8>,
    err: Vec<u8>,
    /// Bytes were dropped from the front of `err`.
    cut: bool,
}

impl Kept {
    fn take(&mut self, piece: Piece) {
        match piece {
            Piece::Out(bytes) => self.out.extend(bytes),
            Piece::Err(bytes) => {
                self.err.extend(bytes);
                if self.err.len() > 2 * STDERR_KEPT {
                    self.err.drain(..self.err.len() - STDERR_KEPT);
                    self.cut = true;
                }
            }
        }
    }

    /// A text that lost its beginning starts at its first whole line: half a secret has no shape
    /// that a rule would know.
    fn stderr(&self) -> Raw {
        let start = if self.cut {
            self.err
                .iter()
                .position(|b| *b == b'\n')
                .unwrap_or(self.err.len())
        } else {
            0
        };
        Raw::new(String::from_utf8_lossy(&self.err[start..]))
    }
}
