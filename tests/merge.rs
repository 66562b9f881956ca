//! `queens merge` on real records: any split, order, gap, duplicate, conflict and junk.

#![cfg(feature = "cli")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use common::{output, published, queens, stderr_of, total_of};
use queens::run::shard::ShardRecord;
use tempfile::TempDir;

/// A folder with these shards' records for this board.
fn records(n: &str, shards: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for shard in shards {
        add(folder.path(), n, shard, &[]);
    }
    folder
}

/// Counts a shard into the folder.
fn add(folder: &Path, n: &str, shard: &str, more: &[&str]) -> PathBuf {
    let file = folder.join(format!("{n}-{}.json", shard.replace('/', "-of-")));
    let mut command = queens(&["count", n, "-q", "-m", "backtrack", "--shard", shard, "-o"]);
    let output = command.arg(&file).args(more).output().unwrap();
    assert!(output.status.success(), "{}", stderr_of(&output));
    assert!(output.stdout.is_empty());
    file
}

fn merge(folder: &Path) -> Output {
    queens(&["merge"]).arg(folder).output().unwrap()
}

/// What a merge without a total says.
fn refusal(output: &Output) -> String {
    let stderr = stderr_of(output);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(
        output.stdout.is_empty() && !stderr.contains("panicked"),
        "{stderr}"
    );
    stderr
}

#[test]
fn any_split_in_any_order_is_the_total() {
    for shards in [
        &["0/1"][..],
        &["4/5", "0/5", "3/5", "1/5", "2/5"],
        &["1/2", "0/4", "2/4"],
        &["1/3", "2/3", "0/6", "3/12", "9/12"],
        &["0/2", "1/2", "2/4", "0/3"],
    ] {
        let folder = records("11", shards);
        assert_eq!(total_of(&merge(folder.path())), published(11), "{shards:?}");
        // Named one by one, backwards, one twice.
        let mut files: Vec<PathBuf> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        files.reverse();
        files.push(files[0].clone());
        let named = queens(&["merge"]).args(&files).output().unwrap();
        assert_eq!(total_of(&named), published(11));
    }
    // More shards than tasks: some have nothing to count.
    let shards: Vec<String> = (0..40).map(|res| format!("{res}/40")).collect();
    let shards: Vec<&str> = shards.iter().map(String::as_str).collect();
    assert_eq!(total_of(&merge(records("6", &shards).path())), published(6));
}

#[test]
fn shards_that_overlap_do_not_outweigh_a_complete_count() {
    // Half of the tasks, two and a half times.
    let folder = records("10", &["0/2", "0/4", "2/4", "0/8"]);
    let whole = ["count", "10", "-q", "-m", "join", "--shard", "0/1", "-o"];
    let file = folder.path().join("whole.json");
    assert!(queens(&whole).arg(&file).status().unwrap().success());
    assert_eq!(total_of(&merge(folder.path())), published(10));
}

#[test]
fn the_fundamental_total_is_had_too() {
    let folder = records("12", &["0/2", "1/2"]);
    let output = queens(&["merge", "--fundamental"])
        .arg(folder.path())
        .output()
        .unwrap();
    let expected = output_number(&["12", "--fundamental"]);
    assert_eq!(total_of(&output), expected);
}

fn output_number(arguments: &[&str]) -> u128 {
    total_of(&output(arguments))
}

#[test]
fn a_gap_is_told_as_the_commands_that_fill_it() {
    let folder = records("10", &["0/4", "2/4"]);
    let stderr = refusal(&merge(folder.path()));
    let commands: Vec<&str> = stderr
        .lines()
        .filter_map(|line| line.strip_prefix("queens: missing      queens "))
        .collect();
    assert_eq!(commands.len(), 2, "{stderr}");
    for command in commands {
        let words: Vec<&str> = command.split(' ').collect();
        assert!(output(&words).status.success(), "{command}");
    }
    assert_eq!(total_of(&merge(folder.path())), published(10));
}

#[test]
fn repeated_records_and_junk_do_no_harm() {
    let folder = records("10", &["0/2", "1/2"]);
    let inside = |name: &str| folder.path().join(name);
    fs::copy(inside("10-0-of-2.json"), inside("copy.json")).unwrap();
    fs::write(inside("notes.txt"), "to do").unwrap();
    fs::write(inside("empty"), "").unwrap();
    fs::write(inside("binary"), [0u8, 255, 7, 130]).unwrap();
    fs::write(inside("array.json"), "[1, 2]").unwrap();
    fs::write(inside(".hidden"), "{").unwrap();
    fs::create_dir(inside("folder")).unwrap();
    std::os::unix::fs::symlink("nowhere", inside("dangling")).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, inside("pipe"), rustix::fs::Mode::RUSR).unwrap();
    let half = fs::read(inside("copy.json")).unwrap();
    fs::write(inside("half.json"), &half[..half.len() / 2]).unwrap();
    let mut checkpointed = queens(&["10", "--checkpoint"]);
    total_of(&checkpointed.arg(inside("state.json")).output().unwrap());
    let output = merge(folder.path());
    assert_eq!(total_of(&output), published(10));
    let stderr = stderr_of(&output);
    let told = |kind: &str, name: &str| {
        let line = stderr
            .lines()
            .find(|line| line.contains(name))
            .unwrap_or_default();
        assert!(
            line.starts_with(&format!("queens: {kind}")),
            "{name}: {stderr}"
        );
    };
    told("new", "10-0-of-2.json");
    told("new", "10-1-of-2.json");
    told("repeated", "copy.json");
    told("damaged", "half.json");
    told("damaged", "empty");
    told("no record", "notes.txt");
    told("no record", "binary");
    told("no record", "state.json");
    told("unreadable", "pipe");
    told("unreadable", "dangling");
}

/// Changes a record's result and makes its checksum good.
fn doctor(path: &Path, more: u128) {
    let mut record = ShardRecord::read(path).unwrap();
    record.counted.solutions += more;
    record.counted.residue += more as u64;
    fs::write(path, record.to_text()).unwrap();
}

#[test]
fn conflicting_records_leave_no_total() {
    // The same shard twice.
    let folder = records("10", &["0/2", "1/2"]);
    let copy = folder.path().join("copy.json");
    fs::copy(folder.path().join("10-1-of-2.json"), &copy).unwrap();
    doctor(&copy, 2);
    let stderr = refusal(&merge(folder.path()));
    assert!(stderr.contains("CONFLICTING  shard 1/2"), "{stderr}");
    assert!(stderr.contains("copy.json"), "{stderr}");

    // A shard and the shards that it consists of.
    let folder = records("10", &["0/2", "1/4", "3/4", "1/2"]);
    doctor(&folder.path().join("10-3-of-4.json"), 2);
    let stderr = refusal(&merge(folder.path()));
    assert!(stderr.contains("CONFLICTING  shard 1/2"), "{stderr}");

    // Nobody contradicts it but the published total.
    let folder = records("10", &["0/2", "1/2"]);
    doctor(&folder.path().join("10-1-of-2.json"), 2);
    let stderr = refusal(&merge(folder.path()));
    assert!(stderr.contains("published"), "{stderr}");
}

#[test]
fn what_merge_says_about_a_conflict_ends_it() {
    for shards in [&["0/2", "1/2", "1/2"][..], &["0/2", "1/2", "1/4", "3/4"]] {
        let folder = records("10", &shards[..2]);
        let good = folder.path().join("10-1-of-2.json");
        match shards {
            [_, _, part, other] => {
                doctor(&add(folder.path(), "10", part, &[]), 2);
                add(folder.path(), "10", other, &[]);
            }
            _ => {
                let copy = folder.path().join("copy.json");
                fs::copy(&good, &copy).unwrap();
                doctor(&copy, 2);
            }
        }
        let stderr = refusal(&merge(folder.path()));
        assert!(!stderr.contains("queens: missing"), "{stderr}");
        let (_, advice) = stderr
            .split_once("CONFLICTING  shard 1/2: move away ")
            .expect("advice");
        let (files, command) = advice.split_once("; then: queens ").unwrap();
        for file in files.split(' ') {
            fs::rename(file, format!("{file}.old")).unwrap();
        }
        let command = command.lines().next().unwrap();
        let words: Vec<&str> = command.split(' ').collect();
        assert!(output(&words).status.success(), "{command}");
        assert_eq!(total_of(&merge(folder.path())), published(10));
    }
}

#[test]
fn a_count_that_nobody_can_have_cut_so_has_no_total() {
    let folder = records("10", &["0/1"]);
    let path = folder.path().join("10-0-of-1.json");
    let good = ShardRecord::read(&path).unwrap();
    let merged_as = |change: fn(&mut ShardRecord)| {
        let mut record = good.clone();
        change(&mut record);
        fs::write(&path, record.to_text()).unwrap();
        merge(folder.path())
    };
    for (change, why) in [
        (
            (|record| record.plan.method = "nonsense".into()) as fn(&mut ShardRecord),
            "no method 'nonsense'",
        ),
        (
            |record| (record.plan.tasks, record.counted.tasks) = (5, 5),
            "number of all tasks",
        ),
    ] {
        let stderr = refusal(&merged_as(change));
        assert!(
            stderr.contains("queens: refused") && stderr.contains(why),
            "{stderr}"
        );
    }
    let other = merged_as(|record| (record.plan.scheme, record.version) = (9, "7.8.9".into()));
    let stderr = stderr_of(&other);
    assert!(stderr.contains("version 7.8.9 wrote it"), "{stderr}");
}

#[test]
fn not_every_one_of_many_missing_shards_is_told() {
    let folder = records("17", &["0/997"]);
    let stderr = refusal(&merge(folder.path()));
    assert_eq!(stderr.matches("queens: missing").count(), 100);
    assert!(stderr.contains("more shards missing"), "{stderr}");
}

#[test]
fn records_of_another_count_are_told_apart() {
    let folder = records("10", &["0/2", "1/2"]);
    add(folder.path(), "11", "0/2", &[]);
    let stderr = refusal(&merge(folder.path()));
    assert!(stderr.contains("n = 10 and 11"), "{stderr}");
    let with_size = |n| {
        queens(&["merge", "-n", n])
            .arg(folder.path())
            .output()
            .unwrap()
    };
    let ten = with_size("10");
    assert_eq!(total_of(&ten), published(10));
    assert!(stderr_of(&ten).contains("another"), "{}", stderr_of(&ten));
    refusal(&with_size("11"));
    refusal(&with_size("12"));

    // Of another task scheme.
    let folder = records("10", &["0/2", "1/2"]);
    let path = add(folder.path(), "10", "0/3", &[]);
    let mut record = ShardRecord::read(&path).unwrap();
    record.plan.scheme += 1;
    fs::write(&path, record.to_text()).unwrap();
    let output = merge(folder.path());
    assert_eq!(total_of(&output), published(10));
    assert!(
        stderr_of(&output).contains("task scheme 2"),
        "{}",
        stderr_of(&output)
    );
}

#[test]
fn a_record_with_any_byte_changed_never_makes_a_wrong_total() {
    let folder = records("10", &["0/2", "1/2"]);
    let path = folder.path().join("10-0-of-2.json");
    let text = fs::read(&path).unwrap();
    for index in 0..text.len() {
        let mut wrong = text.clone();
        wrong[index] ^= 1;
        fs::write(&path, &wrong).unwrap();
        refusal(&merge(folder.path()));
    }
}

#[test]
fn a_shard_run_twice_does_no_harm() {
    let folder = records("10", &["0/2"]);
    let path = folder.path().join("10-0-of-2.json");
    let before = fs::read(&path).unwrap();
    let again = |arguments: &[&str]| {
        let mut command = queens(&["10", "-m", "backtrack", "--shard"]);
        command
            .args(arguments)
            .arg("-o")
            .arg(&path)
            .output()
            .unwrap()
    };
    let left = again(&["0/2"]);
    assert!(left.status.success());
    assert!(stderr_of(&left).contains("already"), "{}", stderr_of(&left));
    for arguments in [&["1/2"][..], &["0/2", "--double-check"]] {
        refusal(&again(arguments));
    }
    assert_eq!(fs::read(&path).unwrap(), before);
    // Of another name is set aside, where that is asked for.
    assert!(again(&["1/2", "--force-new"]).status.success());
    let aside = folder.path().join("10-0-of-2.json.old");
    assert_eq!(fs::read(&aside).unwrap(), before);
    // What was set aside is told, and counts no more.
    let stderr = refusal(&merge(folder.path()));
    assert!(stderr.contains("set aside"), "{stderr}");
    fs::rename(aside, folder.path().join("first.json")).unwrap();
    assert_eq!(total_of(&merge(folder.path())), published(10));
}

#[test]
fn a_shard_goes_on_from_its_checkpoint_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    let state = state.to_str().unwrap();
    add(folder.path(), "12", "1/2", &["--checkpoint", state]);
    let path = folder.path().join("12-1-of-2.json");
    let first = ShardRecord::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    add(folder.path(), "12", "1/2", &["--checkpoint", state]);
    let second = ShardRecord::read(&path).unwrap();
    assert_eq!(
        (first.tasks_resumed, second.tasks_resumed),
        (0, first.counted.tasks)
    );
    assert_eq!(first.counted.tally(), second.counted.tally());
}
