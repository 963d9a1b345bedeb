//! The real binary on a pseudo-terminal: every byte it writes is kept.

use crate::support::Home;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long a test waits for a text before it fails. Long, since the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(30);

/// memd on a terminal.
pub struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    writer: Box<dyn Write + Send>,
    master: Box<dyn MasterPty + Send>,
    incoming: Receiver<Vec<u8>>,
    bytes: Vec<u8>,
    /// How much of `bytes` earlier waits have gone past.
    read: usize,
    /// What `read` was before the last wait for one of several.
    waited: usize,
}

impl Terminal {
    /// Starts memd with these arguments and variables.
    pub fn start(home: &Home, cwd: &Path, args: &[&str], env: &[(&str, &str)]) -> Self {
        let (program, before) = home.program();
        Self::run(program, home, cwd, &[&before, args].concat(), env)
    }

    /// As [`Terminal::start`], of a program that starts memd.
    pub fn run(
        program: &str,
        home: &Home,
        cwd: &Path,
        args: &[&str],
        env: &[(&str, &str)],
    ) -> Self {
        let size = PtySize {
            rows: 24,
            cols: 80,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(program);
        command.args(args);
        command.cwd(cwd);
        command.env_clear();
        for (name, value) in home.env() {
            command.env(name, value);
        }
        command.env("TERM", "xterm-256color");
        for (name, value) in env {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).unwrap();
        // Once the child ends, nothing else may hold its side open.
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let writer = pair.master.take_writer().unwrap();
        let (send, incoming) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(n) = reader.read(&mut buffer)
                && n > 0
                && send.send(buffer[..n].to_vec()).is_ok()
            {}
        });
        let (bytes, read, waited) = (Vec::new(), 0, 0);
        Self {
            child,
            writer,
            master: pair.master,
            incoming,
            bytes,
            read,
            waited,
        }
    }

    /// Waits until a text appears after everything that was waited for before.
    pub fn wait_for(&mut self, text: &str) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let new = &self.bytes[self.read..];
            if let Some(at) = new.windows(text.len()).position(|w| w == text.as_bytes()) {
                self.read += at + text.len();
                return;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.incoming.recv_timeout(left) {
                Ok(more) => self.bytes.extend(more),
                Err(end) => panic!("{text:?} did not come ({end}); so far:\n{}", self.text()),
            }
        }
    }

    /// Waits for the first of these to appear after everything that was waited for before, or for the
    /// end: which one it was.
    pub fn next_of(&mut self, texts: &[&str]) -> Option<usize> {
        let deadline = Instant::now() + PATIENCE;
        self.waited = self.read;
        loop {
            let new = &self.bytes[self.read..];
            let at = |text: &&str| new.windows(text.len()).position(|w| w == text.as_bytes());
            let found = texts.iter().enumerate();
            let first = found
                .filter_map(|(n, text)| Some((at(text)? + text.len(), n)))
                .min();
            if let Some((end, n)) = first {
                self.read += end;
                return Some(n);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.incoming.recv_timeout(left) {
                Ok(more) => self.bytes.extend(more),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(end) => panic!("none of {texts:?} came ({end}); so far:\n{}", self.text()),
            }
        }
    }

    /// What came between the last two things that were waited for.
    pub fn since_last(&self) -> String {
        String::from_utf8_lossy(&self.bytes[self.waited..self.read]).into_owned()
    }

    /// Types a line.
    pub fn type_line(&mut self, line: &str) {
        self.writer
            .write_all(format!("{line}\n").as_bytes())
            .unwrap();
        self.writer.flush().unwrap();
    }

    /// Waits for a prompt, then types.
    pub fn answer(&mut self, line: &str) {
        self.wait_for("?] ");
        self.type_line(line);
    }

    /// Whether the terminal shows what is typed and turns keys into signals, as a shell has it.
    pub fn is_sane(&self) -> bool {
        use rustix::fs::{Mode, OFlags};
        use rustix::termios::LocalModes;
        let name = self.master.tty_name().unwrap();
        let flags = OFlags::RDWR | OFlags::NOCTTY;
        let tty = rustix::fs::open(name, flags, Mode::empty()).unwrap();
        let modes = rustix::termios::tcgetattr(tty).unwrap().local_modes;
        modes.contains(LocalModes::ECHO | LocalModes::ISIG | LocalModes::ICANON)
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: rustix::process::Signal) {
        let id = i32::try_from(self.child.process_id().unwrap()).unwrap();
        let id = rustix::process::Pid::from_raw(id).unwrap();
        rustix::process::kill_process(id, signal).unwrap();
    }

    /// Waits until it has ended.
    pub fn ended(&mut self) {
        self.child.wait().unwrap();
    }

    /// Kills it without warning.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Waits for its end; the exit code and every byte it wrote.
    pub fn finish(mut self) -> (u32, Vec<u8>) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.incoming.recv_timeout(left) {
                Ok(more) => self.bytes.extend(more),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("it does not end:\n{}", self.text()),
            }
        }
        let code = self.child.wait().unwrap().exit_code();
        (code, self.bytes)
    }

    /// What it wrote so far.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}
