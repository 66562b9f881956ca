//! A set of tasks, kept as ranges.
//!
//! Tasks are started in order, so those finished at any time are one long range and a few
//! stragglers, however many millions there are: a set is small in memory and in a file.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

/// A set of whole numbers below 2^64 - 1.
///
/// As text it is a list of numbers and ranges, smallest first, both ends of a range included:
///
/// ```
/// use queens::run::task_set::TaskSet;
///
/// let mut set = TaskSet::default();
/// for task in [0, 1, 7, 2] {
///     assert!(set.insert(task));
/// }
/// assert!(!set.insert(7), "it was there already");
/// assert_eq!(set.to_string(), "0-2,7");
/// assert_eq!("0-2,7".parse::<TaskSet>()?, set);
/// assert_eq!(set.missing_below(9).collect::<Vec<_>>(), [3, 4, 5, 6, 8]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskSet {
    /// First number and end (not included) of each range; ranges neither meet nor overlap.
    ranges: BTreeMap<u64, u64>,
    len: u64,
}

/// A text that is no set of tasks.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{0}' is no list of task numbers and ranges in rising order, like 0-2,7")]
pub struct TaskSetError(String);

impl TaskSet {
    /// How many numbers are in the set.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether nothing is in the set.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The smallest number above every one in the set; 0 for the empty set.
    pub fn end(&self) -> u64 {
        self.ranges.last_key_value().map_or(0, |(_, &end)| end)
    }

    /// Whether this number is in the set.
    pub fn contains(&self, task: u64) -> bool {
        let before = self.ranges.range(..=task).next_back();
        before.is_some_and(|(_, &end)| task < end)
    }

    /// Adds a number; false if it was there already.
    ///
    /// # Panics
    /// If the number is `u64::MAX`, which no task has.
    pub fn insert(&mut self, task: u64) -> bool {
        assert_ne!(task, u64::MAX, "no task has this number");
        if self.contains(task) {
            return false;
        }
        let before = self.ranges.range(..task).next_back();
        let first = match before {
            Some((&first, &end)) if end == task => first,
            _ => task,
        };
        let end = self.ranges.remove(&(task + 1)).unwrap_or(task + 1);
        self.ranges.insert(first, end);
        self.len += 1;
        true
    }

    /// The numbers below `end` that are not in the set, smallest first.
    pub fn missing_below(&self, end: u64) -> impl Iterator<Item = u64> + Send + use<> {
        let mut gaps = Vec::new();
        let mut next = 0;
        for (&first, &range_end) in &self.ranges {
            gaps.push(next..first.min(end));
            next = range_end;
        }
        gaps.push(next..end);
        gaps.into_iter().flatten()
    }
}

impl fmt::Display for TaskSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (first, end)) in self.ranges.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            match end - 1 {
                last if last == *first => write!(f, "{comma}{first}")?,
                last => write!(f, "{comma}{first}-{last}")?,
            }
        }
        Ok(())
    }
}

impl FromStr for TaskSet {
    type Err = TaskSetError;

    fn from_str(text: &str) -> Result<TaskSet, TaskSetError> {
        let wrong = || TaskSetError(text.to_owned());
        let mut set = TaskSet::default();
        for range in text.split(',').filter(|_| !text.is_empty()) {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            let first: u64 = first.parse().map_err(|_| wrong())?;
            let last: u64 = last.parse().map_err(|_| wrong())?;
            // Ranges that meet would be one.
            let fits = set.is_empty() || first > set.end();
            if first > last || last == u64::MAX || !fits {
                return Err(wrong());
            }
            set.ranges.insert(first, last + 1);
            set.len += last + 1 - first;
        }
        Ok(set)
    }
}

impl Serialize for TaskSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TaskSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TaskSet, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_the_set_of_what_was_inserted(tasks in prop::collection::vec(0u64..60, 0..80)) {
            let mut set = TaskSet::default();
            let mut plain = BTreeSet::new();
            for &task in &tasks {
                prop_assert_eq!(set.insert(task), plain.insert(task));
            }
            prop_assert_eq!(set.len(), plain.len() as u64);
            prop_assert_eq!(set.end(), plain.last().map_or(0, |last| last + 1));
            for task in 0..64 {
                prop_assert_eq!(set.contains(task), plain.contains(&task));
            }
            for end in [0, 1, 30, 64] {
                let missing: Vec<u64> = (0..end).filter(|task| !plain.contains(task)).collect();
                prop_assert_eq!(set.missing_below(end).collect::<Vec<_>>(), missing);
            }
            prop_assert_eq!(set.to_string().parse::<TaskSet>().unwrap(), set);
        }

        #[test]
        fn no_text_makes_it_panic(text in "[0-9,\\- ]{0,30}") {
            if let Ok(set) = text.parse::<TaskSet>() {
                prop_assert!(set.to_string().parse::<TaskSet>().unwrap() == set);
            }
        }
    }

    #[test]
    fn texts_that_are_no_set_are_refused() {
        for wrong in [
            ",",
            "1,",
            "3-1",
            "1,1",
            "0-4,4",
            "0-4,5",
            "2,1",
            "a",
            "-1",
            "1-",
            "0--1",
            " 1",
            "18446744073709551615",
            "0-18446744073709551615",
        ] {
            assert_eq!(
                wrong.parse::<TaskSet>(),
                Err(TaskSetError(wrong.to_owned()))
            );
        }
    }
}
