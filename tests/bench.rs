//! The real program's `bench`. What it does not take stands in `tests/cmd/`.

#![cfg(feature = "cli")]

mod common;

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use queens::known;
use rustix::process::Signal;
use serde_json::Value;

fn queens(arguments: &[&str]) -> Command {
    let mut command = common::queens(&["bench"]);
    command.args(arguments);
    command
}

fn output(arguments: &[&str]) -> Output {
    queens(arguments).output().unwrap()
}

/// What a successful run prints on stdout and stderr.
fn answer(arguments: &[&str]) -> (String, String) {
    common::answer(&[&["bench"], arguments].concat())
}

/// What a run that is wrong says, on one line.
fn refusal(arguments: &[&str]) -> String {
    let refused = output(arguments);
    let stderr = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2), "{arguments:?}: {stderr}");
    assert!(refused.stdout.is_empty(), "{arguments:?}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    stderr
}

/// The records in a text that `--format json` or `--export-json` wrote.
fn json(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The header and the rows of a CSV file.
fn csv(text: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let cells = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect();
    let header = cells(reader.headers().unwrap());
    let rows = reader.records().map(|row| cells(&row.unwrap())).collect();
    (header, rows)
}

/// The exported CSV, with the time of every run in so many multiples.
fn scaled(text: &str, factor: f64) -> String {
    let (header, mut rows) = csv(text);
    let runs = header
        .iter()
        .position(|name| name == "run_seconds")
        .unwrap();
    for row in &mut rows {
        let times = row[runs].split(' ');
        let times: Vec<String> = times
            .map(|run| (factor * run.parse::<f64>().unwrap()).to_string())
            .collect();
        row[runs] = times.join(" ");
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&header).unwrap();
    rows.iter()
        .for_each(|row| writer.write_record(row).unwrap());
    String::from_utf8(writer.into_inner().unwrap()).unwrap()
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn every_form_has_the_same_records() {
    let folder = tempfile::tempdir().unwrap();
    let (csv_file, json_file) = (folder.path().join("a.csv"), folder.path().join("a.json"));
    let (table, said) = answer(&[
        "5..=6",
        "--method",
        "pairwise,row-scan,backtrack,join",
        "--threads",
        "1,2",
        "--kernel",
        "portable",
        "--export-csv",
        csv_file.to_str().unwrap(),
        "--export-json",
        json_file.to_str().unwrap(),
    ]);
    let records = json(&text(&json_file));
    let (header, rows) = csv(&text(&csv_file));
    // At each size the textbook solvers have one thread, the others both numbers.
    let expected = [
        ("pairwise", 1, None),
        ("row-scan", 1, None),
        ("backtrack", 1, None),
        ("backtrack", 2, None),
        ("join", 1, Some("portable")),
        ("join", 2, Some("portable")),
    ];
    assert_eq!(records.len(), 2 * expected.len());
    assert_eq!(
        (rows.len(), table.lines().count()),
        (records.len(), 1 + records.len())
    );
    for (index, (record, row)) in records.iter().zip(&rows).enumerate() {
        let (n, (method, threads, kernel)) = (5 + index / 6, expected[index % 6]);
        assert_eq!(
            (&record["n"], &record["method"]),
            (&n.into(), &method.into())
        );
        assert_eq!(record["threads"], threads);
        assert_eq!(record["kernel"].as_str(), kernel);
        assert_eq!(record["solutions"], known::TABLE[n - 1].all as u64);
        // The same fields.
        let names: Vec<&String> = record.as_object().unwrap().keys().collect();
        assert_eq!(header.len(), names.len());
        for (name, cell) in header.iter().zip(row) {
            match &record[name] {
                Value::Null => assert_eq!(cell, "", "{name}"),
                Value::String(text) => assert_eq!(cell, text),
                Value::Array(runs) => {
                    let runs = runs.iter().map(|run| run.as_f64().unwrap());
                    assert!(
                        cell.split(' ')
                            .map(|run| run.parse::<f64>().unwrap())
                            .eq(runs)
                    );
                }
                Value::Number(number) => {
                    let (cell, number): (f64, _) = (cell.parse().unwrap(), number.as_f64());
                    assert_eq!(Some(cell), number, "{name}");
                }
                value => assert_eq!(*cell, value.to_string()),
            }
        }
        let line: Vec<&str> = table
            .lines()
            .nth(1 + index)
            .unwrap()
            .split_whitespace()
            .collect();
        let effort = |key: &str| {
            record[key]
                .as_u64()
                .map_or("-".to_owned(), |e| e.to_string())
        };
        let cells = [
            n.to_string(),
            method.to_owned(),
            kernel.unwrap_or("-").to_owned(),
            threads.to_string(),
            record["solutions"].to_string(),
            effort("tests"),
            effort("nodes"),
        ];
        assert_eq!(line[..7], cells);
        for fact in ["processor", "version", "compiler", "compiler_flags", "os"] {
            assert!(
                said.contains(record[fact].as_str().unwrap()),
                "{fact}: {said}"
            );
        }
    }
}

#[test]
fn figures_are_those_of_the_runs() {
    let records = json(&answer(&["6", "-m", "backtrack", "-t", "2,1", "--format", "json"]).0);
    assert_eq!(records.len(), 2);
    let median = |record: &Value| {
        let runs = record["run_seconds"].as_array().unwrap();
        let mut runs: Vec<f64> = runs.iter().map(|run| run.as_f64().unwrap()).collect();
        assert!(runs.len() >= 5 && runs.len() as u64 == record["runs"].as_u64().unwrap());
        runs.sort_by(f64::total_cmp);
        let figure = |key: &str| record[key].as_f64().unwrap();
        assert_eq!(figure("smallest_seconds"), runs[0]);
        assert_eq!(figure("largest_seconds"), runs[runs.len() - 1]);
        let median = (runs[(runs.len() - 1) / 2] + runs[runs.len() / 2]) / 2.0;
        assert!(near(figure("median_seconds"), median));
        assert!(near(figure("solutions_per_second"), 4.0 / median));
        let core_nanoseconds = median * figure("threads") * 1e9 / 4.0;
        assert!(near(
            figure("core_nanoseconds_per_solution"),
            core_nanoseconds
        ));
        median
    };
    fn near(a: f64, b: f64) -> bool {
        (a / b - 1.0).abs() < 1e-2
    }
    let (two, one) = (median(&records[0]), median(&records[1]));
    assert!(near(records[0]["speedup"].as_f64().unwrap(), one / two));
    assert_eq!(records[1]["speedup"], 1.0);
    assert!(near(
        records[0]["ratio"].as_f64().unwrap(),
        two / two.min(one)
    ));
}

#[test]
fn an_export_reads_back_in_compare() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.csv");
    let file = path.to_str().unwrap();
    answer(&[
        "5..=6",
        "-m",
        "backtrack,join",
        "-t",
        "1,2",
        "--export-csv",
        file,
    ]);
    let old = text(&path);
    for (factor, claim) in [(1e4, "faster"), (1e-4, "slower")] {
        fs::write(&path, scaled(&old, factor)).unwrap();
        let (tables, said) = answer(&[
            "6..=7",
            "-m",
            "backtrack,join",
            "-t",
            "2",
            "--compare",
            file,
        ]);
        let (_, comparison) = tables.split_once("\n\n").unwrap();
        let lines: Vec<Vec<&str>> = comparison
            .lines()
            .map(|line| {
                line.split("  ")
                    .map(str::trim)
                    .filter(|c| !c.is_empty())
                    .collect()
            })
            .collect();
        assert_eq!(lines.len(), 5, "{tables}");
        for line in &lines[1..3] {
            assert_eq!((line[0], line[3], *line.last().unwrap()), ("6", "2", claim));
            let ratio: f64 = line[6].parse().unwrap();
            assert!(
                if factor > 1.0 {
                    ratio < 0.1
                } else {
                    ratio > 10.0
                },
                "{comparison}"
            );
        }
        for line in &lines[3..] {
            assert_eq!((line[0], *line.last().unwrap()), ("7", "none: no such row"));
        }
        assert!(said.contains("compared with "), "{said}");
    }
    // A single run has no spread, and files that cannot serve are refused.
    let header = old.lines().next().unwrap();
    for (text, wrong) in [
        ("", "it has no rows"),
        (header, "it has no rows"),
        ("n,method\n6,join\n", "missing field"),
        (&old.replace(" 0.0", " zero."), "are no times of runs"),
        (
            &old.replace("backtrack", "other").replace("join", "other"),
            "in common",
        ),
    ] {
        fs::write(&path, text).unwrap();
        let refused = refusal(&["6", "-m", "join", "--compare", file]);
        assert!(
            refused.contains(file) && refused.contains(wrong),
            "{refused}"
        );
    }
    let refused = refusal(&["6", "--compare", folder.path().to_str().unwrap()]);
    assert!(refused.contains("cannot compare with"), "{refused}");
}

#[test]
fn a_signal_leaves_the_finished_rows() {
    for signal in [Signal::INT, Signal::KILL] {
        let folder = tempfile::tempdir().unwrap();
        let (csv_file, json_file) = (folder.path().join("a.csv"), folder.path().join("a.json"));
        let plot = folder.path().join("a.svg");
        let mut child = queens(&["1..=20", "-m", "row-scan", "--progress-every", "0.02"])
            .args(["--export-csv", csv_file.to_str().unwrap()])
            .args(["--export-json", json_file.to_str().unwrap()])
            .args(if cfg!(feature = "plot") {
                vec!["--plot", plot.to_str().unwrap()]
            } else {
                vec![]
            })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut printed: Vec<String> = lines.by_ref().take(3).map(Result::unwrap).collect();
        assert!(printed[2].starts_with(" 2  row-scan "), "{printed:?}");
        // Progress comes while this size is not finished: it cannot end too soon.
        let mut stderr = BufReader::new(child.stderr.take().unwrap()).lines();
        let progress = stderr.find(|line| line.as_ref().unwrap().starts_with("n = 3, round "));
        assert!(progress.is_some());
        common::signal(&child, signal);
        printed.extend(lines.map(Result::unwrap));
        let said: Vec<String> = stderr.map(Result::unwrap).collect();
        let status = child.wait().unwrap();
        assert_eq!(status.signal(), Some(signal.as_raw()));
        let records = json(&text(&json_file));
        let (_, rows) = csv(&text(&csv_file));
        assert_eq!(rows.len(), records.len());
        assert!(records.iter().zip(1..).all(|(record, n)| record["n"] == n));
        if signal == Signal::INT {
            // The row of each finished size, and no other.
            assert_eq!(printed.len(), 1 + records.len());
            let last = said.last().unwrap();
            assert!(
                last.contains("stopped by SIGINT in the runs for n = "),
                "{last}"
            );
            assert_eq!(plot.exists(), cfg!(feature = "plot"));
        } else {
            // At most the last size was printed and not yet kept.
            assert!(
                (2..printed.len()).contains(&records.len()) || records.len() + 1 == printed.len()
            );
        }
        let temporary = fs::read_dir(folder.path()).unwrap().count();
        assert!(signal == Signal::KILL || temporary == if cfg!(feature = "plot") { 3 } else { 2 });
    }
}

#[test]
fn progress_on_a_terminal_is_a_line_that_is_drawn_again() {
    let (mut reader, terminal) = common::terminal();
    let mut child = queens(&["14", "-m", "pairwise"])
        .env("TERM", "xterm")
        .stdout(Stdio::null())
        .stderr(Stdio::from(terminal))
        .spawn()
        .unwrap();
    let line = ["n = 14, warm-up: pairwise, 1 thread", " at this size"];
    common::read_until(&mut reader, &line);
    common::signal(&child, Signal::INT);
    assert_eq!(
        common::wait(&mut child).signal(),
        Some(Signal::INT.as_raw())
    );
}

#[test]
fn progress_is_told_off_a_terminal_and_silenced_by_quiet() {
    let arguments = ["9", "-m", "bit-masks", "--progress-every", "0.005"];
    let said = answer(&arguments).1;
    let is_progress = |line: &str| line.starts_with("n = 9, ") && line.ends_with(" at this size");
    assert!(said.lines().any(is_progress), "{said}");
    assert_eq!(answer(&[&arguments[..], &["--quiet"]].concat()).1, "");
}

#[test]
fn names_of_methods_are_checked() {
    for wrong in ["guess", "", "pairwise,", "pairwise, flags"] {
        let refused = refusal(&["8", "--method", wrong]);
        assert!(
            refused.contains("there is no method") && refused.contains("bit-masks, backtrack"),
            "{refused}"
        );
    }
}

#[test]
fn groups_of_methods_leave_out_those_that_cannot() {
    let text = answer(&["3..=4", "-m", "bit-masks,all", "--format", "csv"]).0;
    let (_, rows) = csv(&text);
    let mut names: Vec<(&str, &str)> = rows.iter().map(|row| (&*row[0], &*row[1])).collect();
    let expected = [
        "bit-masks",
        "pairwise",
        "iterative",
        "flags",
        "flags-by-column",
        "row-scan",
        "backtrack",
    ];
    // The join begins at 4.
    let four = names.split_off(expected.len());
    assert_eq!(names, expected.map(|name| ("3", name)));
    assert_eq!(four[..7], expected.map(|name| ("4", name)));
    assert_eq!(four[7..], [("4", "join")]);
    assert!(rows[..7].iter().all(|row| row[4] == "0"));
    assert!(rows[7..].iter().all(|row| row[4] == "2"));
}

#[cfg(feature = "plot")]
#[test]
fn a_plot_shows_what_was_measured() {
    let folder = tempfile::tempdir().unwrap();
    let plot = folder.path().join("a.svg");
    let path = plot.to_str().unwrap();
    let texts = |arguments: &[&str]| -> Vec<String> {
        answer(&[arguments, &["--plot", path]].concat());
        let svg = text(&plot);
        let document = roxmltree::Document::parse(&svg).unwrap();
        let texts = document
            .descendants()
            .filter(|node| node.has_tag_name("text"));
        texts
            .map(|node| node.text().unwrap().trim().to_owned())
            .collect()
    };
    let one = texts(&["5..=7", "-m", "row-scan,backtrack"]);
    for expected in [
        "Time to count all solutions",
        "n",
        "5",
        "6",
        "7",
        "row-scan, 1 thread",
        "backtrack, 1 thread",
    ] {
        assert!(
            one.iter().any(|text| text == expected),
            "{expected}: {one:?}"
        );
    }
    assert!(!one.iter().any(|text| text == "ideal"));
    let two = texts(&["6", "-m", "backtrack", "-t", "1,2"]);
    for expected in [
        "backtrack, 2 threads",
        "Speed-up over one thread",
        "threads",
        "ideal",
        "backtrack, n = 6",
    ] {
        assert!(
            two.iter().any(|text| text == expected),
            "{expected}: {two:?}"
        );
    }
}

#[test]
fn the_examples_in_the_help_are_taken() {
    let folder = tempfile::tempdir().unwrap();
    let help = answer(&["--help"]).0;
    let examples = help
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("queens bench "));
    let examples: Vec<Vec<&str>> = examples
        .map(|line| {
            line.split("   ")
                .next()
                .unwrap()
                .split_whitespace()
                .collect()
        })
        .collect();
    assert!(examples.len() >= 4);
    for mut arguments in examples.into_iter().filter(|words| !words.is_empty()) {
        // Smaller boards, to be quick.
        if arguments[0].starts_with(|c: char| c.is_ascii_digit()) {
            arguments[0] = "5";
        }
        let run = queens(&arguments)
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(run.status.success(), "{arguments:?}: {run:?}");
    }
}
