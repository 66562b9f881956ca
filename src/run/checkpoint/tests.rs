use std::fs;

use super::*;
use crate::run::tally::RESIDUE_MODULUS;

fn purpose() -> Purpose {
    Purpose {
        plan: Plan {
            n: 12,
            method: "backtrack".into(),
            scheme: 1,
            tasks: 100,
        },
        shard: Shard::new(1, 3).unwrap(),
        double_check: false,
        kernel: "portable".into(),
        version: "0.1.0".into(),
    }
}

/// A state with these positions' tasks done.
fn state(positions: impl IntoIterator<Item = u64>) -> State {
    let (shard, mut state) = (purpose().shard, State::default());
    for position in positions {
        let solutions = u128::from(position + 1) << 70;
        let count = Count {
            solutions,
            residue: (solutions % u128::from(RESIDUE_MODULUS)) as u64,
        };
        state
            .add(shard, shard.task(position), &count, false)
            .unwrap();
    }
    state
}

fn flaw(outcome: Result<(Checkpoint, State), FileError>) -> Flaw {
    match outcome {
        Err(FileError::Flaw { flaw, .. }) => flaw,
        outcome => panic!("{outcome:?}"),
    }
}

#[test]
fn what_was_saved_is_what_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    let (mut checkpoint, empty) = Checkpoint::open(&path, purpose()).unwrap();
    assert_eq!(empty, State::default());
    for positions in [0..1, 0..20, 0..33] {
        checkpoint.save(&state(positions)).unwrap();
    }
    checkpoint.save(&state([0, 1, 5, 32])).unwrap();
    drop(checkpoint);
    let mut other = purpose();
    (other.kernel, other.version) = ("avx512".into(), "9.9.9".into());
    let (_, resumed) = Checkpoint::open(&path, other).unwrap();
    assert_eq!(resumed, state([0, 1, 5, 32]));
    let left: Vec<u64> = resumed
        .tasks_left(&purpose().plan, purpose().shard)
        .collect();
    assert_eq!(left.len(), 29);
    assert_eq!(left[..4], [7, 10, 13, 19]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn only_one_process_has_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    let (mut checkpoint, _) = Checkpoint::open(&path, purpose()).unwrap();
    for round in 0..3 {
        let second = Checkpoint::open(&path, purpose());
        assert!(matches!(second, Err(FileError::Locked(_))), "{second:?}");
        let anew = Checkpoint::begin_anew(&path, purpose());
        assert!(matches!(anew, Err(FileError::Locked(_))), "{anew:?}");
        checkpoint.save(&state(0..round)).unwrap();
    }
    drop(checkpoint);
    Checkpoint::open(&path, purpose()).unwrap();
}

#[test]
fn any_byte_changed_or_the_end_missing_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    let (mut checkpoint, _) = Checkpoint::open(&path, purpose()).unwrap();
    checkpoint.save(&state([0, 1, 5, 32])).unwrap();
    drop(checkpoint);
    let text = fs::read(&path).unwrap();
    let refused = |wrong: &[u8]| {
        fs::write(&path, wrong).unwrap();
        flaw(Checkpoint::open(&path, purpose()));
        assert_eq!(fs::read(&path).unwrap(), wrong);
    };
    for index in 0..text.len() {
        for flip in [1, 128] {
            let mut wrong = text.clone();
            wrong[index] ^= flip;
            refused(&wrong);
        }
        refused(&text[..index]);
    }
    fs::write(&path, &text).unwrap();
    Checkpoint::open(&path, purpose()).unwrap();
}

#[test]
fn another_purpose_is_refused_with_the_difference() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    let (mut checkpoint, _) = Checkpoint::open(&path, purpose()).unwrap();
    checkpoint.save(&state(0..3)).unwrap();
    drop(checkpoint);
    let before = fs::read(&path).unwrap();
    type Change = fn(&mut Purpose);
    let changes: [(&str, Change); 5] = [
        ("n =", |purpose| purpose.plan.n = 13),
        ("method", |purpose| purpose.plan.method = "join".into()),
        ("task scheme", |purpose| purpose.plan.scheme = 2),
        ("a number of tasks,", |purpose| purpose.plan.tasks = 101),
        ("shard", |purpose| purpose.shard = Shard::WHOLE),
    ];
    for (property, change) in changes {
        let mut other = purpose();
        change(&mut other);
        let flaw = flaw(Checkpoint::open(&path, other));
        assert!(
            matches!(&flaw, Flaw::Other { what, .. } if *what == property),
            "{flaw}"
        );
    }
    let double_check = Purpose {
        double_check: true,
        ..purpose()
    };
    let flaw = flaw(Checkpoint::open(&path, double_check));
    assert_eq!(
        flaw,
        Flaw::NotDoubleChecked {
            checked: 0,
            done: 3
        }
    );
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn beginning_anew_sets_the_old_file_aside() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    let (checkpoint, aside) = Checkpoint::begin_anew(&path, purpose()).unwrap();
    assert_eq!(aside, None);
    drop(checkpoint);
    for (content, name) in [("one", "state.old"), ("two", "state.old-2")] {
        fs::write(&path, content).unwrap();
        let (checkpoint, aside) = Checkpoint::begin_anew(&path, purpose()).unwrap();
        drop(checkpoint);
        let aside = aside.unwrap();
        assert!(aside.ends_with(name), "{}", aside.display());
        assert_eq!(fs::read_to_string(aside).unwrap(), content);
        let (_, state) = Checkpoint::open(&path, purpose()).unwrap();
        assert_eq!(state, State::default());
    }
}

#[test]
fn a_save_that_fails_leaves_the_last_state_and_can_be_repeated() {
    let around = tempfile::tempdir().unwrap();
    let (folder, away) = (around.path().join("folder"), around.path().join("away"));
    fs::create_dir(&folder).unwrap();
    let path = folder.join("state");
    let (mut checkpoint, _) = Checkpoint::open(&path, purpose()).unwrap();
    checkpoint.save(&state(0..3)).unwrap();
    let before = fs::read(&path).unwrap();
    // A folder that is gone: it stops a save, root or not.
    fs::rename(&folder, &away).unwrap();
    for _ in 0..2 {
        let failed = checkpoint.save(&state(0..4));
        assert!(matches!(failed, Err(FileError::Io { .. })), "{failed:?}");
        assert_eq!(fs::read(away.join("state")).unwrap(), before);
    }
    drop(checkpoint);
    let failed = Checkpoint::open(&path, purpose());
    assert!(matches!(failed, Err(FileError::Io { .. })), "{failed:?}");
    fs::rename(&away, &folder).unwrap();
    assert_eq!(fs::read(&path).unwrap(), before);
    let (mut checkpoint, _) = Checkpoint::open(&path, purpose()).unwrap();
    checkpoint.save(&state(0..4)).unwrap();
    drop(checkpoint);
    assert_eq!(Checkpoint::open(&path, purpose()).unwrap().1, state(0..4));
}

#[cfg(unix)]
#[test]
fn a_file_that_was_deleted_or_replaced_under_way_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    let (mut checkpoint, _) = Checkpoint::open(&path, purpose()).unwrap();
    fs::remove_file(&path).unwrap();
    checkpoint.save(&state(0..3)).unwrap();
    assert!(matches!(
        Checkpoint::open(&path, purpose()),
        Err(FileError::Locked(_))
    ));
    fs::remove_file(&path).unwrap();
    fs::write(&path, "another's").unwrap();
    let replaced = checkpoint.save(&state(0..4));
    assert!(
        matches!(replaced, Err(FileError::Replaced(_))),
        "{replaced:?}"
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), "another's");
}

#[cfg(unix)]
#[test]
fn devices_folders_and_places_that_cannot_be_written_to_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for path in [
        Path::new("/dev/null"),
        Path::new("/dev/full"),
        folder.path(),
    ] {
        let outcome = Checkpoint::open(path, purpose());
        assert!(
            matches!(outcome, Err(FileError::NotAFile(_))),
            "{outcome:?}"
        );
    }
    for path in ["missing/state", "state/state"] {
        fs::write(folder.path().join("state"), "").unwrap();
        let outcome = Checkpoint::open(&folder.path().join(path), purpose());
        assert!(matches!(outcome, Err(FileError::Io { .. })), "{outcome:?}");
    }
}

#[test]
fn nobody_elses_file_is_touched() {
    let folder = tempfile::tempdir().unwrap();
    let (path, other) = (folder.path().join("state"), folder.path().join("state.new"));
    fs::write(&other, "another's").unwrap();
    let (mut checkpoint, _) = Checkpoint::open(&path, purpose()).unwrap();
    checkpoint.save(&state(0..3)).unwrap();
    assert_eq!(fs::read_to_string(&other).unwrap(), "another's");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[cfg(unix)]
#[test]
fn a_save_keeps_the_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    let (mut checkpoint, _) = Checkpoint::open(&path, purpose()).unwrap();
    for mode in [0o600, 0o664] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        checkpoint.save(&state(0..3)).unwrap();
        let found = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(found & 0o777, mode);
    }
}

#[test]
fn numbers_that_no_count_has_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    let mut long = state(0..3);
    long.counted.seconds = 1e308;
    let mut of_nothing = State::default();
    of_nothing.counted.solutions = 92;
    of_nothing.counted.residue = 92;
    for wrong in [long, of_nothing] {
        fs::write(&path, purpose().text(&wrong)).unwrap();
        let flaw = flaw(Checkpoint::open(&path, purpose()));
        assert!(matches!(flaw, Flaw::Damaged(_)), "{flaw}");
    }
}

#[test]
fn the_time_is_kept_to_the_microsecond() {
    let mut state = State::default();
    state.set_seconds(0.000_104_4);
    assert_eq!(state.counted().seconds, 0.000_104);
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("link");
    std::os::unix::fs::symlink("nowhere", &link).unwrap();
    for outcome in [
        Checkpoint::open(&link, purpose()).map(|_| ()),
        Checkpoint::begin_anew(&link, purpose()).map(|_| ()),
    ] {
        assert!(
            matches!(outcome, Err(FileError::Dangling(_))),
            "{outcome:?}"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link() {
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = (folder.path().join("state"), folder.path().join("link"));
    drop(Checkpoint::open(&path, purpose()).unwrap());
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let (mut checkpoint, _) = Checkpoint::open(&link, purpose()).unwrap();
    checkpoint.save(&state(0..3)).unwrap();
    drop(checkpoint);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(Checkpoint::open(&path, purpose()).unwrap().1, state(0..3));
}
