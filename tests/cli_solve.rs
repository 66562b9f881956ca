//! The real program's `solve`, and counts with conditions.
//! What is printed to the letter stands in `tests/cmd/`.

#![cfg(feature = "cli")]

mod common;

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use common::{answer, output, queens, signal, terminal, wait};
use queens::{Placement, Size, Solutions, known};
use rustix::process::Signal;

fn size(n: u32) -> Size {
    Size::new(n).unwrap()
}

/// The board that a list of columns from 1 describes.
fn placement(columns: impl IntoIterator<Item = u64>) -> Placement {
    let columns = columns.into_iter().map(|column| column as u8 - 1);
    Placement::new(columns.collect()).unwrap()
}

#[test]
fn every_format_of_all_boards_is_pinned() {
    trycmd::TestCases::new().case("tests/cmd/solve-8/*.toml");
}

#[test]
fn lines_read_back_as_the_boards() {
    for n in [1, 4, 8, 9] {
        let n_text = n.to_string();
        let boards: Vec<Placement> = Solutions::new(size(n)).collect();
        let columns = answer(&["solve", &n_text]).0;
        let read = columns
            .lines()
            .map(|line| placement(line.split(' ').map(|column| column.parse().unwrap())));
        assert!(read.eq(boards.iter().cloned()), "n = {n}");
        let json = answer(&["solve", &n_text, "--format", "json"]).0;
        let read = json
            .lines()
            .map(|line| placement(serde_json::from_str::<Vec<u64>>(line).unwrap()));
        assert!(read.eq(boards.iter().cloned()), "n = {n}");
    }
}

#[test]
fn fundamental_boards_stand_for_all() {
    for n in 1..=10 {
        let known = known::published(size(n)).unwrap();
        let arguments = ["solve", &n.to_string(), "--fundamental", "--format", "json"];
        let (text, summary) = answer(&arguments);
        let classes: Vec<u64> = text
            .lines()
            .map(|line| {
                let board: serde_json::Value = serde_json::from_str(line).unwrap();
                board["class"].as_u64().unwrap()
            })
            .collect();
        assert_eq!(classes.len() as u128, known.fundamental);
        assert_eq!(u128::from(classes.iter().sum::<u64>()), known.all);
        assert!(summary.contains(&format!("standing for {}\n", known.all)));
    }
}

/// The queens of each board in a picture, as (row, column) in squares, read from the picture.
fn queens_in(svg: &str) -> Vec<Vec<(usize, usize)>> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let uses = |node: &roxmltree::Node, what: &str| {
        node.has_tag_name(("http://www.w3.org/2000/svg", "use"))
            && node.attribute("href") == Some(what)
    };
    let boards = document
        .descendants()
        .filter(|node| node.children().any(|child| uses(&child, "#board")));
    boards
        .map(|board| {
            let queens = board.children().filter(|child| uses(child, "#queen"));
            let square = |queen: &roxmltree::Node, name| {
                let place: usize = queen.attribute(name).unwrap().parse().unwrap();
                assert_eq!(place % 24, 0);
                place / 24
            };
            queens
                .map(|queen| (square(&queen, "y"), square(&queen, "x")))
                .collect()
        })
        .collect()
}

#[test]
fn pictures_hold_the_queens_of_every_board() {
    for (n, limit) in [
        (1, None),
        (6, None),
        (8, None),
        (20, Some(3)),
        (32, Some(1)),
    ] {
        let n_text = n.to_string();
        let limit_text = limit.map(|limit: usize| limit.to_string());
        let mut arguments = vec!["solve", &n_text, "--format", "svg"];
        arguments.extend(limit_text.iter().flat_map(|limit| ["-l", limit]));
        let expected: Vec<Vec<(usize, usize)>> = Solutions::new(size(n))
            .take(limit.unwrap_or(usize::MAX))
            .map(|board| {
                let columns = board.columns().iter().map(|&column| usize::from(column));
                columns.enumerate().collect()
            })
            .collect();
        assert_eq!(queens_in(&answer(&arguments).0), expected, "n = {n}");
    }
}

#[test]
fn a_picture_has_a_hundred_boards_unless_told_otherwise() {
    let (svg, said) = answer(&["solve", "9", "--format", "svg"]);
    assert_eq!(queens_in(&svg).len(), 100);
    assert!(said.contains("limit of 100 boards"), "{said}");
    let (svg, said) = answer(&["solve", "9", "--format", "svg", "-l", "500"]);
    assert_eq!(queens_in(&svg).len(), 352);
    assert_eq!(said, "352 solutions\n");
    let (svg, _) = answer(&["solve", "3", "--format", "svg"]);
    assert!(queens_in(&svg).is_empty() && svg.contains("no solution for 3 queens"));
}

#[test]
fn boards_are_streamed_and_a_closed_pipe_ends_quietly() {
    let mut child = queens(&["solve", "27"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let expected = Solutions::new(size(27)).take(3);
    for (line, board) in lines.by_ref().zip(expected) {
        let columns = line.unwrap();
        let columns = columns.split(' ').map(|column| column.parse().unwrap());
        assert_eq!(placement(columns), board);
    }
    drop(lines);
    let status = wait(&mut child);
    let mut stderr = String::new();
    let mut pipe = child.stderr.take().unwrap();
    pipe.read_to_string(&mut stderr).unwrap();
    assert_eq!((status.code(), stderr.as_str()), (Some(0), ""));
}

/// Interrupts a program that runs and has taken over signals, and says what it tells then.
fn interrupted(mut child: Child) -> String {
    signal(&child, Signal::INT);
    assert_eq!(wait(&mut child).signal(), Some(Signal::INT.as_raw()));
    let mut stderr = String::new();
    let mut pipe = child.stderr.take().unwrap();
    pipe.read_to_string(&mut stderr).unwrap();
    stderr
}

#[test]
fn a_signal_stops_the_search_and_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("boards.txt");
    let files = || fs::read_dir(folder.path()).unwrap().count();
    let child = queens(&["solve", "22", "-o", file.to_str().unwrap()])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while files() == 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let said = interrupted(child);
    assert!(
        said.contains("stopped by SIGINT in the search after "),
        "{said}"
    );
    assert_eq!(files(), 0);
}

#[test]
fn the_examples_in_the_help_run() {
    let folder = tempfile::tempdir().unwrap();
    let help = answer(&["solve", "--help"]).0;
    let examples: Vec<&str> = help
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("queens solve "))
        .filter_map(|line| line.split_once("   ").map(|(command, _)| command))
        .collect();
    assert!(examples.len() >= 5, "{help}");
    for example in examples {
        let status = queens(&["solve"])
            .args(example.split_whitespace())
            .current_dir(&folder)
            .output()
            .unwrap()
            .status;
        assert!(status.success(), "queens solve {example}");
    }
}

#[test]
fn an_output_file_holds_what_stdout_would() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("boards");
    for format in ["columns", "unicode", "svg"] {
        let arguments = ["solve", "6", "--format", format];
        let path = ["-o", file.to_str().unwrap()];
        let (nothing, said) = answer(&[&arguments[..], &path].concat());
        assert_eq!((nothing.as_str(), said.as_str()), ("", "4 solutions\n"));
        assert_eq!(fs::read_to_string(&file).unwrap(), answer(&arguments).0);
    }
    let full = output(&["solve", "8", "-o", "/dev/full"]);
    assert_eq!(full.status.code(), Some(1));
    let stderr = String::from_utf8(full.stderr).unwrap();
    assert!(stderr.starts_with("queens: cannot write"), "{stderr}");
}

/// What the program writes to a terminal.
fn on_a_terminal(command: &mut Command) -> String {
    let (mut reader, terminal) = terminal();
    let mut child = command.stdout(Stdio::from(terminal)).spawn().unwrap();
    // The command's own copy of the terminal must go, or reading never ends.
    command.stdout(Stdio::null());
    let mut drawn = Vec::new();
    // Once the last writer is gone, Linux ends with an error and others with nothing.
    let _ = reader.read_to_end(&mut drawn);
    assert!(wait(&mut child).success());
    String::from_utf8(drawn).unwrap()
}

#[test]
fn boards_are_coloured_on_a_terminal_unless_the_user_forbids_it() {
    let solve = || {
        let mut command = queens(&["solve", "4", "--first", "-q", "--format", "unicode"]);
        command.env("TERM", "xterm").env_remove("NO_COLOR");
        command
    };
    let coloured = on_a_terminal(&mut solve());
    assert_eq!(coloured.matches("\u{1b}[48;5;").count(), 16, "{coloured}");
    assert_eq!(coloured.matches('♛').count(), 4);
    let plain = on_a_terminal(solve().env("NO_COLOR", "1"));
    assert!(!plain.contains('\u{1b}') && plain.contains('┌'), "{plain}");
}

#[test]
fn counts_with_conditions_say_so_in_records() {
    let conditions = ["--queen", "1,1", "--block", "2,3", "--block", "2,7"];
    let json = answer(&[&["count", "8", "--format", "json"], &conditions[..]].concat()).0;
    let record: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(record["all"], 2);
    assert_eq!(record["queens"], serde_json::json!([[1, 1]]));
    assert_eq!(record["blocked"], serde_json::json!([[2, 3], [2, 7]]));
    assert!(record["agrees_with_published"].is_null());
    let csv = answer(&[&["count", "8", "--format", "csv"], &conditions[..]].concat()).0;
    let lines: Vec<&str> = csv.lines().collect();
    assert!(lines[0].ends_with(",queens,blocked"), "{csv}");
    assert!(lines[1].ends_with(",\"1,1\",\"2,3 2,7\""), "{csv}");
}

#[test]
fn a_count_with_conditions_shows_progress() {
    let mut child = queens(&["24", "--queen", "1,1", "--progress-every", "0.02"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    stderr.read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(line.starts_with("n = 24 with conditions: "), "{line}");
}
