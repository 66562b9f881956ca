//! Estimates against the published totals, over many seeds.

#![cfg(feature = "cli")]

mod common;

use common::{output, stderr_of};
use queens::estimate::estimate;
use queens::method::Cancel;
use queens::run::pool::Pool;
use queens::{Size, known};

#[test]
fn estimates_are_as_good_as_they_say() {
    let (pool, cancel) = (Pool::new(2).unwrap(), Cancel::new());
    for known in &known::TABLE[7..20] {
        let (size, exact) = (Size::new(known.n).unwrap(), known.all as f64);
        let mut within = 0;
        for seed in 1..=20 {
            let about = estimate(size, seed, 0.005, &pool, &cancel).unwrap();
            let error = (about.solutions - exact).abs();
            assert!(error < 0.02 * exact, "n = {size}, seed {seed}: {about:?}");
            assert!(about.standard_error <= 0.005 * about.solutions);
            within += u32::from(error <= 3.0 * about.standard_error);
        }
        assert!(
            within >= 19,
            "n = {size}: {within} of 20 within 3 standard errors"
        );
    }
}

#[test]
fn a_seed_gives_the_same_estimate_on_any_number_of_threads() {
    let about = |seed, threads| {
        let pool = Pool::new(threads).unwrap();
        estimate(Size::new(13).unwrap(), seed, 0.01, &pool, &Cancel::new()).unwrap()
    };
    assert_eq!(about(7, 1), about(7, 3));
    assert_ne!(about(7, 1), about(8, 1));
}

#[test]
fn every_board_has_an_estimate() {
    for n in ["1", "2", "3", "8", "24", "31", "32"] {
        let text = output(&["estimate", n, "--precision", "5", "--sample", "0.05"]);
        assert!(text.status.success(), "{}", stderr_of(&text));
        let text = String::from_utf8(text.stdout).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2, "{text}");
        assert!(lines[0].starts_with("solutions: about ") && lines[1].starts_with("time: about "));
    }
    let text = output(&["estimate", "12", "--format", "json", "--sample", "0.1"]);
    let record: serde_json::Value = serde_json::from_slice(&text.stdout).unwrap();
    let number = |name: &str| record[name].as_f64().unwrap();
    assert!((number("solutions") - 14_200.0).abs() < 5.0 * number("standard_error"));
    assert!(number("seconds_low") <= number("seconds"));
    assert!(number("seconds") <= number("seconds_high"));
}

#[test]
fn verify_deep_lists_what_ran() {
    let text = output(&["verify", "6..=8", "--deep", "--minutes", "0.02"]);
    let stderr = stderr_of(&text);
    let done = text.status.success();
    let text = String::from_utf8(text.stdout).unwrap();
    // Two ways at least of each of two methods, for three sizes.
    assert!(text.matches("as published").count() >= 12, "{text}");
    for part in ["mirrored tree", "20  backtrack", "20  join", "24  join"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // What was not checked for want of time does not pass for checked.
    assert_eq!(
        text.matches("all ways agree").count() + text.matches("none done").count(),
        8
    );
    assert_eq!(done, !text.contains("none done"), "{stderr}");
    assert_eq!(done, !stderr.contains("give more --minutes"), "{stderr}");
}
