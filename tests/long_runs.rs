//! Long runs of the real program: killed and resumed, with disks that fail and files that were
//! damaged. Never a wrong total, never a panic.

#![cfg(feature = "cli")]

mod common;

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use common::{output, queens, signal, stderr_of, total_of, until, wait};
use rustix::process::{Pid, Resource, Rlimit, Signal, prlimit};

/// How many tasks a checkpoint says are done; none while there is no file.
fn tasks_done(path: &Path) -> u64 {
    let Ok(text) = fs::read(path) else { return 0 };
    let value: serde_json::Value = serde_json::from_slice(&text).expect("it is always whole");
    value["tasks_done"].as_u64().unwrap()
}

/// A count of this board that saves often.
fn count(n: &str, path: &Path, more: &[&str]) -> std::process::Command {
    let mut command = queens(&[n, "-m", "backtrack", "--checkpoint-every", "0.05"]);
    command.arg("--checkpoint").arg(path).args(more);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Starts a count and waits until it has saved more than the file has now; false if it ended.
fn start_and_save(command: &mut std::process::Command, path: &Path) -> (Child, bool) {
    let before = tasks_done(path);
    let mut child = command.spawn().unwrap();
    let mut unfinished = true;
    until("a save", || {
        unfinished = child.try_wait().unwrap().is_none();
        tasks_done(path) > before || !unfinished
    });
    (child, unfinished)
}

/// Ends a count again and again by a signal, and at last lets it finish.
fn end_again_and_again(n: u32, by: Signal, rounds: u64) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    let size = n.to_string();
    let mut random = fastrand::Rng::with_seed(rounds);
    let (mut hits, mut done) = (0, 0);
    for round in 0..rounds {
        let threads = (1 + round % 3).to_string();
        let mut command = count(&size, &path, &["-t", &threads]);
        let (mut child, unfinished) = start_and_save(&mut command, &path);
        std::thread::sleep(Duration::from_millis(random.u64(0..30)));
        if unfinished && child.try_wait().unwrap().is_none() {
            signal(&child, by);
        }
        let status = wait(&mut child);
        hits += u64::from(status.signal() == Some(by.as_raw()));
        let now = tasks_done(&path);
        assert!(now >= done, "{done} tasks were done, now {now}");
        done = now;
    }
    assert!(hits * 20 >= rounds * 15, "{hits} of {rounds} were stopped");
    assert!(done > 0);
    let output = count(&size, &path, &[]).output().unwrap();
    assert_eq!(total_of(&output), common::published(n));
    let stderr = stderr_of(&output);
    assert!(stderr.contains(&format!("{done} of ")), "{stderr}");
    // Whoever asks again is told at once.
    let again = count(&size, &path, &[]).output().unwrap();
    assert_eq!(total_of(&again), common::published(n));
    // Only one that was killed while it saved leaves its unfinished file.
    for entry in fs::read_dir(folder.path()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let unfinished = by == Signal::KILL && name.starts_with(".queens-");
        assert!(name == "state.json" || unfinished, "{name}");
    }
}

#[test]
fn killed_at_random_moments_a_count_goes_on_to_the_exact_total() {
    end_again_and_again(17, Signal::KILL, 20);
}

#[test]
fn terminated_at_random_moments_a_count_goes_on_to_the_exact_total() {
    end_again_and_again(17, Signal::TERM, 20);
}

/// Sends this many SIGTERM to a count that has saved nothing yet.
fn terminated(times: usize, more: &[&str], told: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    let arguments = ["--checkpoint-every", "3600", "--progress-every", "0.01"];
    let mut command = queens(&["18", "-m", "backtrack"]);
    command
        .args(arguments)
        .arg("--checkpoint")
        .arg(&path)
        .args(more);
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while line.is_empty() || line.contains(": 0 of") {
        line.clear();
        stderr.read_line(&mut line).unwrap();
    }
    assert_eq!(tasks_done(&path), 0);
    for _ in 0..times {
        signal(&child, Signal::TERM);
        // Signals that come while one waits to be seen to are one.
        until("the signal to be seen", || {
            !is_pending(&child, Signal::TERM)
        });
    }
    assert_eq!(wait(&mut child).signal(), Some(Signal::TERM.as_raw()));
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).unwrap();
    let done = tasks_done(&path);
    assert!(done > 0);
    assert!(rest.contains(told), "{rest}");
    assert!(rest.contains(&format!("after {done} of")), "{rest}");
}

#[test]
fn sigterm_saves_what_was_done_since_the_last_save() {
    terminated(1, &[], "the same command goes on");
    terminated(1, &["--force-new"], "the same command without --force-new");
}

#[test]
fn more_than_one_sigterm_does_not_keep_it_from_saving() {
    // A batch system sends it to every process of a job, and the job's script sends it on.
    for times in 2..=4 {
        terminated(times, &[], "the same command goes on");
    }
}

/// A mask of signals that Linux tells of a process: "SigCgt" are those it has handlers for.
fn has_signal(child: &Child, mask: &str, signal: Signal) -> bool {
    let Ok(status) = fs::read_to_string(format!("/proc/{}/status", child.id())) else {
        return false;
    };
    let mut masks = status.lines().filter_map(|line| line.strip_prefix(mask));
    let mask = masks.next().expect("Linux tells it");
    let mask = u64::from_str_radix(mask.trim(), 16).unwrap();
    mask >> (signal.as_raw() - 1) & 1 == 1
}

fn is_pending(child: &Child, signal: Signal) -> bool {
    cfg!(target_os = "linux") && has_signal(child, "ShdPnd:", signal)
}

#[cfg(target_os = "linux")]
#[test]
fn a_request_to_save_before_there_is_anything_to_save_does_no_harm() {
    // The lists of the join take a while to set up.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    let mut command = queens(&["22", "-m", "join", "--checkpoint"]);
    let mut child = command
        .arg(&path)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    until("the handlers", || {
        has_signal(&child, "SigCgt:", Signal::INT)
    });
    signal(&child, Signal::USR1);
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    stderr.read_line(&mut line).unwrap();
    assert!(line.contains("queens: saved 0 tasks"), "{line}");
    signal(&child, Signal::TERM);
    assert_eq!(wait(&mut child).signal(), Some(Signal::TERM.as_raw()));
}

#[test]
fn sigusr1_saves_and_the_count_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    let mut command = queens(&["16", "-m", "backtrack", "--checkpoint-every", "3600"]);
    command.arg("--checkpoint").arg(&path);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // The file is there once the signal is taken over.
    until("the checkpoint", || path.exists());
    let mut ended = false;
    until("a save", || {
        ended = child.try_wait().unwrap().is_some();
        if !ended {
            signal(&child, Signal::USR1);
        }
        ended || tasks_done(&path) > 0
    });
    assert!(!ended);
    let output = child.wait_with_output().unwrap();
    assert_eq!(total_of(&output), common::published(16));
    assert!(stderr_of(&output).contains("queens: saved "));
}

#[test]
fn a_second_process_is_kept_away() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    let (mut first, unfinished) = start_and_save(&mut count("18", &path, &[]), &path);
    assert!(unfinished);
    for more in [&[][..], &["--force-new"], &["-t", "1"]] {
        let second = count("18", &path, more).output().unwrap();
        assert_eq!(second.status.code(), Some(1));
        let stderr = stderr_of(&second);
        assert!(stderr.contains("another process"), "{stderr}");
        assert!(second.stdout.is_empty());
    }
    // A shard warns, and counts without it.
    let shard = folder.path().join("shard.json");
    let mut holder = count("17", &shard, &["--shard", "0/2"]);
    let (mut holder, unfinished) = start_and_save(&mut holder, &shard);
    assert!(unfinished);
    let second = count("12", &shard, &["--shard", "0/2"]).output().unwrap();
    assert!(second.status.success());
    let stderr = stderr_of(&second);
    assert!(stderr.contains("without a checkpoint"), "{stderr}");
    assert!(String::from_utf8_lossy(&second.stdout).contains("\"queens shard\""));
    for child in [&mut first, &mut holder] {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(tasks_done(&path) > 0);
}

/// Lets saves fail under way, by what `spoil` does, and work again by what `mend` does.
fn saves_that_fail(spoil: impl Fn(&Child, &Path), mend: impl Fn(&Child, &Path)) {
    let around = tempfile::tempdir().unwrap();
    let path = around.path().join("folder").join("state.json");
    fs::create_dir(path.parent().unwrap()).unwrap();
    let (mut child, unfinished) = start_and_save(&mut count("16", &path, &["-t", "1"]), &path);
    assert!(unfinished);
    spoil(&child, &path);
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    stderr.read_line(&mut line).unwrap();
    assert!(
        line.contains("not saved") && line.contains("goes on"),
        "{line}"
    );
    let saved = tasks_done(&path);
    mend(&child, &path);
    line.clear();
    stderr.read_line(&mut line).unwrap();
    assert!(line.contains("queens: saved"), "{line}");
    assert!(tasks_done(&path) > saved);
    let output = child.wait_with_output().unwrap();
    assert_eq!(total_of(&output), common::published(16));
}

#[test]
fn a_save_that_fails_is_told_and_tried_again() {
    let folder = |path: &Path| path.parent().unwrap().to_owned();
    let away = |path: &Path| folder(path).with_extension("away");
    saves_that_fail(
        |_, path| fs::rename(folder(path), away(path)).unwrap(),
        |_, path| fs::rename(away(path), folder(path)).unwrap(),
    );
}

#[test]
fn a_file_size_limit_does_not_end_the_count() {
    let limit = |child: &Child, bytes| {
        let limit = Rlimit {
            current: bytes,
            maximum: None,
        };
        prlimit(Some(Pid::from_child(child)), Resource::Fsize, limit).unwrap();
    };
    saves_that_fail(
        |child, _| limit(child, Some(100)),
        |child, _| limit(child, None),
    );
}

#[test]
fn what_cannot_work_is_told_before_the_count() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |command: &mut std::process::Command, why: &str| {
        // A board that would take days.
        let output = command.output().unwrap();
        let stderr = stderr_of(&output);
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert!(output.stdout.is_empty() && stderr.contains(why), "{stderr}");
    };
    for path in ["missing/state.json", "."] {
        refused(&mut count("24", &folder.path().join(path), &[]), "queens: ");
    }
    refused(&mut count("24", Path::new("/dev/full"), &[]), "/dev/full");
    let script = format!(
        "ulimit -f 0; exec {} 24 --checkpoint state.json",
        env!("CARGO_BIN_EXE_queens")
    );
    let mut limited = std::process::Command::new("sh");
    refused(
        limited.args(["-c", &script]).current_dir(folder.path()),
        "state.json",
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);

    let full = output(&["10", "--shard", "0/2", "-o", "/dev/full"]);
    assert_eq!(full.status.code(), Some(1));
    assert!(stderr_of(&full).contains("No space left"));
}

#[test]
fn a_checkpoint_that_is_not_right_is_refused_and_set_aside_only_if_told_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    total_of(&count("10", &path, &[]).output().unwrap());
    let text = fs::read(&path).unwrap();
    let refused = |wrong: &[u8], arguments: &[&str], why: &str| {
        fs::write(&path, wrong).unwrap();
        let output = count("10", &path, arguments).output().unwrap();
        let stderr = stderr_of(&output);
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert!(output.stdout.is_empty() && stderr.contains(why), "{stderr}");
        assert!(!stderr.contains("panicked"), "{stderr}");
        assert_eq!(fs::read(&path).unwrap(), wrong, "it must be left alone");
    };
    for index in 0..text.len() {
        let mut wrong = text.clone();
        wrong[index] ^= 1;
        refused(&wrong, &[], "queens: ");
    }
    refused(&text[..text.len() / 2], &[], "damaged");
    refused(b"", &[], "damaged");
    refused(b"[]", &[], "no queens checkpoint");
    refused(&text, &["--shard", "0/2"], "shard 0/1, not 0/2");
    refused(&text, &["--double-check"], "double-checked");
    let newer = String::from_utf8(text.clone()).unwrap();
    let newer = newer.replace("\"format_version\": 1", "\"format_version\": 2");
    refused(newer.as_bytes(), &[], "newer program");
    let other = count("11", &path, &[]).output().unwrap();
    assert_eq!(other.status.code(), Some(1));

    let anew = count("11", &path, &["--force-new"]).output().unwrap();
    assert_eq!(total_of(&anew), common::published(11));
    let aside = path.with_extension("json.old");
    assert_eq!(fs::read_to_string(aside).unwrap(), newer);
}

#[test]
fn a_double_checked_count_is_the_count() {
    let output = output(&["13", "-m", "backtrack", "--double-check"]);
    assert_eq!(total_of(&output), common::published(13));
    let shard = common::output(&["11", "--shard", "0/1", "--double-check"]);
    let record: serde_json::Value = serde_json::from_slice(&shard.stdout).unwrap();
    assert_eq!(record["double_checked"], record["tasks_done"]);
}

#[test]
fn an_ignored_signal_of_the_shell_does_not_matter() {
    // `nohup` and shells leave SIGXFSZ and SIGUSR1 as they like; a count must not care.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    let script = "trap '' USR1 XFSZ; exec \"$0\" 20 -m backtrack --checkpoint-every 3600 \
                  --checkpoint state.json";
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_queens")]);
    shell.current_dir(folder.path()).process_group(0);
    shell.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = shell.spawn().unwrap();
    until("the checkpoint", || path.exists());
    until("a save", || {
        signal(&child, Signal::USR1);
        tasks_done(&path) > 0
    });
    signal(&child, Signal::TERM);
    assert_eq!(wait(&mut child).signal(), Some(Signal::TERM.as_raw()));
}
