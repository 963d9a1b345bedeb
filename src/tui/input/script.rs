//! A terminal that exists only as a list of what it sends: for tests.

use super::{Ready, Source};
use std::collections::VecDeque;
use std::io;
use std::time::Duration;

/// One thing that happens at the terminal.
#[derive(Debug)]
enum Step {
    Bytes(Vec<u8>),
    /// Bytes that come only to whoever waits a moment.
    Late(Vec<u8>),
    /// Nothing more comes until this was noticed.
    Pause,
    /// The same, and this much time has gone by then.
    Wait(Duration),
    HangUp,
}

/// What the terminal sends, in order. At its end nothing comes any more.
#[derive(Debug, Default)]
pub struct Script {
    steps: VecDeque<Step>,
    size: Option<(u16, u16)>,
    now: Duration,
}

impl Script {
    /// These bytes come at once.
    pub fn bytes(&mut self, bytes: &str) {
        self.steps.push_back(Step::Bytes(bytes.into()));
    }

    /// These bytes come a moment later than those before.
    pub fn late(&mut self, bytes: &str) {
        self.steps.push_back(Step::Late(bytes.into()));
    }

    /// What follows comes only after the reader has found nothing.
    pub fn pause(&mut self) {
        self.steps.push_back(Step::Pause);
    }

    /// What follows comes only after the reader has found nothing, and so much later.
    pub fn wait(&mut self, time: Duration) {
        self.steps.push_back(Step::Wait(time));
    }

    /// The terminal has another size from the start.
    pub fn resize(&mut self, columns: u16, rows: u16) {
        self.size = Some((columns, rows));
    }

    /// The terminal goes away.
    pub fn hang_up(&mut self) {
        self.steps.push_back(Step::HangUp);
    }
}

impl Source for Script {
    fn wait(&mut self, timeout: Duration) -> io::Result<Ready> {
        let passed = match self.steps.front() {
            Some(Step::Bytes(_)) => return Ok(Ready::Bytes),
            Some(Step::Late(_)) if !timeout.is_zero() => return Ok(Ready::Bytes),
            Some(Step::HangUp) => return Ok(Ready::Gone),
            Some(&Step::Wait(time)) => {
                self.steps.pop_front();
                time
            }
            Some(Step::Pause) => {
                self.steps.pop_front();
                timeout
            }
            Some(Step::Late(_)) | None => timeout,
        };
        self.now += passed;
        Ok(Ready::Nothing)
    }

    fn now(&self) -> Duration {
        self.now
    }

    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let Some(Step::Bytes(bytes) | Step::Late(bytes)) = self.steps.front_mut() else {
            return Ok(0);
        };
        let n = bytes.len().min(into.len());
        for (to, byte) in into.iter_mut().zip(bytes.drain(..n)) {
            *to = byte;
        }
        if bytes.is_empty() {
            self.steps.pop_front();
        }
        Ok(n)
    }

    fn resized(&mut self) -> Option<(u16, u16)> {
        self.size.take()
    }
}
