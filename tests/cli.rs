//! The real program: its commands, its progress, and what signals and closed pipes do to it.
//! What is printed to the letter stands in `tests/cmd/`.

#![cfg(feature = "cli")]

mod common;

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use common::{output, queens, read_until, signal, stderr_of, terminal, wait};
use queens::known;
use rustix::process::Signal;

/// What a successful run prints, with nothing on stderr.
fn answer(arguments: &[&str]) -> String {
    let (stdout, stderr) = common::answer(arguments);
    assert!(stderr.is_empty(), "{arguments:?}: {stderr}");
    stdout
}

#[test]
fn documented_command_lines() {
    trycmd::TestCases::new().case("tests/cmd/*.md");
}

#[test]
fn wrong_input_is_one_line_on_stderr_and_nothing_on_stdout() {
    let documented = fs::read_to_string("tests/cmd/bad-input.md").unwrap();
    let commands: Vec<&str> = documented
        .lines()
        .filter_map(|line| line.strip_prefix("$ queens"))
        .collect();
    assert!(commands.len() > 20);
    for command in commands {
        let words = command
            .split_whitespace()
            .map(|word| word.trim_matches('"'));
        let output = output(&words.collect::<Vec<_>>());
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "queens{command}");
        assert!(output.stdout.is_empty(), "queens{command}");
        assert_eq!(stderr.lines().count(), 1, "queens{command}: {stderr}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_answer_is_given_even_where_nobody_hears_the_rest() {
    let full = || Stdio::from(fs::File::options().write(true).open("/dev/full").unwrap());
    let output = queens(&["10", "--time", "--progress", "always"])
        .stderr(full())
        .output()
        .unwrap();
    assert!(output.status.success() && output.stdout == b"724\n");
    let output = queens(&["0"]).stderr(full()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let output = queens(&["8"]).stdout(full()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("stdout"));
}

#[test]
fn every_size_prints_the_published_numbers() {
    let expected = |value: fn(&known::Known) -> u128| {
        let sizes = known::TABLE.iter().take(15);
        sizes
            .map(|known| format!("{} {}\n", known.n, value(known)))
            .collect::<String>()
    };
    assert_eq!(answer(&["count", "1..=15"]), expected(|known| known.all));
    assert_eq!(
        answer(&["1-15", "--fundamental"]),
        expected(|known| known.fundamental)
    );
}

#[test]
fn json_says_what_was_counted_and_how() {
    let text = answer(&[
        "count",
        "7..=8",
        "--format",
        "json",
        "--fundamental",
        "-t",
        "3",
    ]);
    let records: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(records.len(), 2);
    for (record, known) in records.iter().zip(&known::TABLE[6..]) {
        assert_eq!(record["n"], known.n);
        assert_eq!(record["all"], known.all as u64);
        assert_eq!(record["fundamental"], known.fundamental as u64);
        assert_eq!(record["threads"], 3);
        assert_eq!(record["agrees_with_published"], true);
        assert_eq!(record["version"], env!("CARGO_PKG_VERSION"));
        assert!(record["tasks"].as_u64().unwrap() > 0);
        assert!(record["seconds"].as_f64().unwrap() >= 0.0);
        assert!(record["method"].is_string());
    }
    let plain = answer(&["8", "--format", "json"]);
    let record: serde_json::Value = serde_json::from_str(&plain).unwrap();
    assert!(record.get("fundamental").is_none());
}

#[test]
fn csv_has_a_header_and_a_line_a_size() {
    let text = answer(&["count", "5..=6", "--format", "csv", "--fundamental"]);
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0][..3], ["n", "all", "fundamental"]);
    assert_eq!(
        (&lines[1][..3], &lines[2][..3]),
        (&["5", "10", "2"][..], &["6", "4", "1"][..])
    );
    assert!(lines.iter().all(|line| line.len() == lines[0].len()));
}

#[test]
fn verify_agrees_with_the_published_totals() {
    let text = answer(&["verify", "1..=12"]);
    let rows: Vec<_> = text.lines().skip(1).collect();
    assert!(rows.len() >= 12);
    assert!(rows.iter().all(|row| row.contains("agrees")), "{text}");
}

#[test]
fn an_output_file_appears_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("total.txt");
    let path = file.to_str().unwrap();
    assert_eq!(answer(&["8", "-o", path]), "");
    assert_eq!(fs::read_to_string(&file).unwrap(), "92\n");

    fs::remove_file(&file).unwrap();
    let mut child = queens(&["19", "-m", "backtrack", "-o", path])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(100));
    signal(&child, Signal::INT);
    assert_eq!(wait(&mut child).signal(), Some(Signal::INT.as_raw()));
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        0,
        "nothing is left behind"
    );

    // A link is followed, and a file keeps its mode.
    fs::write(&file, "old").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&file, &link).unwrap();
    answer(&["8", "-o", link.to_str().unwrap()]);
    assert_eq!(fs::read_to_string(&file).unwrap(), "92\n");
    assert_eq!(
        fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());

    let nowhere = folder.path().join("missing/total.txt");
    let failed = output(&["8", "-o", nowhere.to_str().unwrap()]);
    assert_eq!(failed.status.code(), Some(1));
    assert!(
        String::from_utf8(failed.stderr)
            .unwrap()
            .contains("missing/total.txt")
    );

    assert_eq!(answer(&["8", "-o", "/dev/null"]), "");
    assert!(
        !fs::metadata("/dev/null").unwrap().is_file(),
        "a device must not be replaced"
    );
}

#[test]
fn scripts_and_the_manual_are_generated() {
    for (kind, part) in [
        ("complete-bash", "_queens()"),
        ("complete-zsh", "#compdef queens"),
        ("complete-fish", "complete -c queens"),
        ("man", ".TH queens 1"),
    ] {
        let text = answer(&["--generate", kind]);
        assert!(text.contains(part), "{kind}");
        assert!(text.contains("fundamental"), "{kind}");
    }
}

#[test]
fn help_comes_in_two_lengths_and_its_examples_run() {
    let (short, long) = (answer(&["-h"]), answer(&["--help"]));
    assert!(short.len() < long.len());
    let examples: Vec<&str> = long
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("queens "))
        .filter_map(|line| line.split_once("   ").map(|(command, _)| command))
        .collect();
    assert!(examples.len() >= 4, "{long}");
    for example in examples {
        let output = output(&example.split_whitespace().collect::<Vec<_>>());
        assert!(output.status.success(), "queens {example}");
    }
}

#[test]
fn a_word_that_is_no_text_is_wrong_input_like_any_other() {
    let word = OsStr::from_bytes(b"\xff");
    let output = queens(&["8", "--bogus"]).arg(word).output().unwrap();
    let stderr = stderr_of(&output);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(output.stdout.is_empty());
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
}

#[test]
fn an_output_that_is_a_pipe_must_be_read_to_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let child = queens(&["solve", "12", "-o"])
        .arg(&pipe)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(fs::File::open(&pipe).unwrap())
        .read_line(&mut first)
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let stderr = stderr_of(&output);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("nobody reads it any more"), "{stderr}");
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let mut child = queens(&["count", "1..=20", "-m", "backtrack"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut first)
        .unwrap();
    assert_eq!(first, "1 1\n");
    // The reader is gone now; the next line that is written meets a closed pipe.
    let status = wait(&mut child);
    let mut stderr = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut stderr)
        .unwrap();
    assert_eq!((status.code(), stderr.as_str()), (Some(0), ""));
}

/// Starts a long count that tells its progress often, and waits for the first line.
fn long_count() -> (Child, BufReader<std::process::ChildStderr>, String) {
    let mut child = queens(&["21", "-m", "backtrack", "--progress-every", "0.02"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    stderr.read_line(&mut line).unwrap();
    (child, stderr, line)
}

#[test]
fn a_signal_stops_the_count_without_a_total_and_the_process_dies_of_it() {
    for (number, name) in [(Signal::INT, "SIGINT"), (Signal::TERM, "SIGTERM")] {
        let (mut child, mut stderr, _) = long_count();
        signal(&child, number);
        let status = wait(&mut child);
        assert_eq!(status.signal(), Some(number.as_raw()));
        let (mut rest, mut stdout) = (String::new(), String::new());
        stderr.read_to_string(&mut rest).unwrap();
        child
            .stdout
            .take()
            .unwrap()
            .read_to_string(&mut stdout)
            .unwrap();
        assert_eq!(stdout, "");
        let last = rest.lines().last().unwrap();
        assert!(
            last.contains(name) && last.contains("n = 21") && last.contains("tasks"),
            "{rest}"
        );
    }
}

#[test]
fn progress_on_a_pipe_is_plain_lines() {
    let (mut child, _, line) = long_count();
    signal(&child, Signal::KILL);
    wait(&mut child);
    assert!(
        line.starts_with("n = 21: ") && line.ends_with('\n'),
        "{line:?}"
    );
    for part in [
        " of ",
        " tasks (",
        "%)",
        " solutions so far, ",
        " elapsed, ",
    ] {
        assert!(line.contains(part), "{part:?} in {line:?}");
    }
    assert!(
        line.chars().all(|c| c == '\n' || !c.is_control()),
        "{line:?}"
    );
}

#[test]
fn progress_is_silent_where_it_should_be() {
    // A run that ends before the first line is due; and those told to be silent.
    for arguments in [
        &["10", "--progress-every", "3600"][..],
        &["13", "--progress-every", "0.001", "--progress", "never"],
        &["13", "--progress-every", "0.001", "--quiet", "--time"],
    ] {
        answer(arguments);
    }
    let always = output(&["10", "--progress", "always"]);
    let stderr = String::from_utf8(always.stderr).unwrap();
    assert!(
        stderr.contains("(100.0 %), 724 solutions so far"),
        "{stderr}"
    );
}

#[test]
fn progress_on_a_terminal_is_a_bar() {
    let (mut reader, terminal) = terminal();
    let mut child = queens(&["21", "-m", "backtrack"])
        .env("TERM", "xterm")
        .stdout(Stdio::null())
        .stderr(Stdio::from(terminal))
        .spawn()
        .unwrap();
    let bar = ["n = 21 [", "] ", "/", " solutions, ", " left"];
    read_until(&mut reader, &bar);
    signal(&child, Signal::INT);
    assert_eq!(wait(&mut child).signal(), Some(Signal::INT.as_raw()));
}
