//! What the tests of the real program share.
#![allow(dead_code)] // not every test uses everything

use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::process::{Child, Command, ExitStatus, Output};
use std::time::{Duration, Instant};

use queens::{Size, known};
use rustix::fs::{Mode, OFlags, open};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

pub fn queens(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_queens"));
    command.args(arguments);
    command
}

pub fn output(arguments: &[&str]) -> Output {
    queens(arguments).output().unwrap()
}

/// What a successful run prints on stdout and stderr.
pub fn answer(arguments: &[&str]) -> (String, String) {
    let output = output(arguments);
    let stderr = stderr_of(&output);
    assert!(output.status.success(), "{arguments:?}: {stderr}");
    (String::from_utf8(output.stdout).unwrap(), stderr)
}

pub fn stderr_of(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The bare number that a successful run prints.
pub fn total_of(output: &Output) -> u128 {
    assert!(output.status.success(), "{}", stderr_of(output));
    let stdout = String::from_utf8(output.stdout.clone()).unwrap();
    stdout.trim_end().parse().unwrap()
}

pub fn published(n: u32) -> u128 {
    known::published(Size::new(n).unwrap()).unwrap().all
}

pub fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

/// Waits for something that is expected to come; hangs end after a minute.
pub fn until(what: &str, mut done: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !done() {
        assert!(Instant::now() < deadline, "no {what} after 60 s");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Waits for a process that is expected to end by itself; hangs are killed after a minute.
pub fn wait(child: &mut Child) -> ExitStatus {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if Instant::now() > deadline {
            child.kill().unwrap();
            panic!("still running after 60 s");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A terminal of 24 lines of 120 columns: the end that reads what is drawn, and the end for the
/// program.
pub fn terminal() -> (File, OwnedFd) {
    let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&controller).unwrap();
    unlockpt(&controller).unwrap();
    let name = ptsname(&controller, Vec::new()).unwrap();
    let terminal = open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
    let window = Winsize {
        ws_row: 24,
        ws_col: 120,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(&terminal, window).unwrap();
    (File::from(controller), terminal)
}

/// Reads until all of these have been read; what writes goes on meanwhile.
pub fn read_until(reader: &mut impl Read, parts: &[&str]) {
    let (mut read, mut bytes) = (Vec::new(), [0; 1024]);
    while !parts
        .iter()
        .all(|part| String::from_utf8_lossy(&read).contains(part))
    {
        let count = reader.read(&mut bytes).expect("something writes");
        read.extend(&bytes[..count]);
    }
}
