//! Shards: a count cut into parts that different machines compute, and the record of each.
//!
//! Shard RES/MOD is the tasks whose number leaves the remainder RES when divided by MOD, so the
//! MOD shards of one MOD are disjoint and together are the count. Tasks differ in length, and
//! so do shards: there should be several times more shards than machines.

use std::fmt;
use std::io;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::record::{self, Counted, FileError, Flaw, Format};
use crate::board::Size;
use crate::method::Method;

/// What is counted and how it is cut into tasks: parts add up only where this is the same.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Plan {
    /// The board size n.
    pub n: u32,
    /// The method's name.
    pub method: String,
    /// The version of the method's [task scheme](Method::scheme).
    pub scheme: u32,
    /// The number of tasks of the whole count.
    pub tasks: u64,
}

impl Plan {
    /// The plan by which `method`, made for boards of this size, counts.
    pub fn new(size: Size, method: &dyn Method) -> Plan {
        Plan {
            n: size.get(),
            method: method.name().to_owned(),
            scheme: method.scheme(),
            tasks: method.tasks(),
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "n = {}, method {}, task scheme {}",
            self.n, self.method, self.scheme
        )
    }
}

/// The tasks whose number is `res` modulo `modulus`, written RES/MOD.
///
/// ```
/// use queens::run::shard::Shard;
///
/// let shard: Shard = "1/3".parse()?;
/// assert_eq!(shard.tasks_of(8), 3); // tasks 1, 4 and 7
/// assert_eq!(shard.task(2), 7);
/// assert!("3/3".parse::<Shard>().is_err());
/// # Ok::<(), queens::run::shard::ShardError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "Parts", into = "Parts")]
pub struct Shard {
    res: u64,
    modulus: u64,
}

#[derive(Serialize, Deserialize)]
struct Parts {
    res: u64,
    #[serde(rename = "mod")]
    modulus: u64,
}

/// A text or pair of numbers that is no shard.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("there is no shard '{0}': it must be RES/MOD, with MOD from 1 to {most} and RES from 0 to MOD - 1", most = Shard::MOST)]
pub struct ShardError(String);

impl Shard {
    /// The largest MOD: more shards than any scheduler takes.
    pub const MOST: u64 = 1_000_000;

    /// The whole count.
    pub const WHOLE: Shard = Shard { res: 0, modulus: 1 };

    /// The shard RES/MOD.
    ///
    /// # Errors
    /// [`ShardError`] unless RES is below MOD and MOD is from 1 to [`Shard::MOST`].
    pub fn new(res: u64, modulus: u64) -> Result<Shard, ShardError> {
        if res < modulus && modulus <= Shard::MOST {
            Ok(Shard { res, modulus })
        } else {
            Err(ShardError(format!("{res}/{modulus}")))
        }
    }

    /// The remainder.
    pub fn res(self) -> u64 {
        self.res
    }

    /// The modulus.
    pub fn modulus(self) -> u64 {
        self.modulus
    }

    /// How many of a count's tasks are in it.
    pub fn tasks_of(self, tasks: u64) -> u64 {
        tasks.saturating_sub(self.res).div_ceil(self.modulus)
    }

    /// Whether all its tasks are in the other one too, whatever the number of tasks.
    pub fn is_part_of(self, other: Shard) -> bool {
        self.modulus.is_multiple_of(other.modulus) && self.res % other.modulus == other.res
    }

    /// Its task in this position, from 0.
    pub fn task(self, position: u64) -> u64 {
        self.res + position * self.modulus
    }

    /// The position of one of its tasks.
    pub fn position(self, task: u64) -> u64 {
        task / self.modulus
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.res, self.modulus)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let wrong = || ShardError(text.to_owned());
        let (res, modulus) = text.split_once('/').ok_or_else(wrong)?;
        match (res.parse(), modulus.parse()) {
            (Ok(res), Ok(modulus)) => Shard::new(res, modulus).map_err(|_| wrong()),
            _ => Err(wrong()),
        }
    }
}

impl TryFrom<Parts> for Shard {
    type Error = ShardError;

    fn try_from(parts: Parts) -> Result<Shard, ShardError> {
        Shard::new(parts.res, parts.modulus)
    }
}

impl From<Shard> for Parts {
    fn from(shard: Shard) -> Parts {
        Parts {
            res: shard.res,
            modulus: shard.modulus,
        }
    }
}

/// A finished shard: what was counted, of what, and by what.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ShardRecord {
    /// What it is a part of.
    #[serde(flatten)]
    pub plan: Plan,
    /// Which part.
    #[serde(flatten)]
    pub shard: Shard,
    /// The result.
    #[serde(flatten)]
    pub counted: Counted,
    /// How many of the tasks an earlier process had counted, as its checkpoint told.
    pub tasks_resumed: u64,
    /// The kernel that counted the last of it.
    pub kernel: String,
    /// The version of the program.
    pub version: String,
    /// The machine.
    pub host: String,
}

impl Format for ShardRecord {
    const NAME: &'static str = "queens shard";
}

impl ShardRecord {
    /// The record as text, checksum included.
    pub fn to_text(&self) -> String {
        record::seal(self)
    }

    /// Reads the text of a record.
    ///
    /// # Errors
    /// [`Flaw`] if it is no record, damaged, newer than this program, or not of a whole shard.
    pub fn from_text(text: &[u8]) -> Result<ShardRecord, Flaw> {
        let record: ShardRecord = record::unseal(text)?;
        let (n, tasks) = (record.plan.n, record.shard.tasks_of(record.plan.tasks));
        if Size::new(n).is_err() {
            return Err(Flaw::Damaged(format!("there is no board size {n}")));
        }
        record.counted.check(tasks)?;
        if record.counted.tasks != tasks {
            return Err(Flaw::Damaged("it has not every task of its shard".into()));
        }
        Ok(record)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`FileError`] if it cannot be read or, as [`ShardRecord::from_text`], is not right.
    pub fn read(path: &Path) -> Result<ShardRecord, FileError> {
        let text = read_ordinary(path)?;
        ShardRecord::from_text(&text).map_err(|flaw| FileError::Flaw {
            path: path.to_owned(),
            flaw,
        })
    }

    /// Refuses a record of another count or shard, or one that was not double-checked though
    /// that is asked for.
    ///
    /// # Errors
    /// [`Flaw`] with the difference.
    pub fn check(&self, plan: &Plan, shard: Shard, double_check: bool) -> Result<(), Flaw> {
        record::same_part((&self.plan, self.shard), (plan, shard))?;
        check_double(&self.counted, double_check)
    }
}

pub(crate) fn check_double(counted: &Counted, wanted: bool) -> Result<(), Flaw> {
    if wanted && counted.double_checked < counted.tasks {
        return Err(Flaw::NotDoubleChecked {
            checked: counted.double_checked,
            done: counted.tasks,
        });
    }
    Ok(())
}

/// The bytes of a file, unless it is a device or a pipe, which might never end.
fn read_ordinary(path: &Path) -> Result<Vec<u8>, FileError> {
    let metadata = std::fs::metadata(path).map_err(FileError::io("read", path))?;
    if !metadata.is_file() {
        return Err(FileError::NotAFile(path.to_owned()));
    }
    if metadata.len() > LONGEST {
        let source = io::Error::from(io::ErrorKind::FileTooLarge);
        return Err(FileError::io("read", path)(source));
    }
    std::fs::read(path).map_err(FileError::io("read", path))
}

/// No shard record is nearly so long, in bytes.
const LONGEST: u64 = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> ShardRecord {
        let solutions = 123_456_789_012_345_678_901_234;
        ShardRecord {
            plan: Plan {
                n: 20,
                method: "backtrack".into(),
                scheme: 1,
                tasks: 100,
            },
            shard: Shard::new(3, 7).unwrap(),
            counted: Counted {
                tasks: 14,
                double_checked: 0,
                solutions,
                residue: (solutions % u128::from(super::super::tally::RESIDUE_MODULUS)) as u64,
                seconds: 1.5,
            },
            tasks_resumed: 2,
            kernel: "portable".into(),
            version: "0.1.0".into(),
            host: "here".into(),
        }
    }

    #[test]
    fn the_shards_of_one_modulus_are_the_whole_count() {
        for tasks in [0, 1, 5, 100] {
            for modulus in 1..=13 {
                let mut all = Vec::new();
                for res in 0..modulus {
                    let shard = Shard::new(res, modulus).unwrap();
                    let of_it = (0..shard.tasks_of(tasks)).map(|position| {
                        let task = shard.task(position);
                        assert_eq!(shard.position(task), position);
                        task
                    });
                    all.extend(of_it);
                }
                all.sort_unstable();
                assert!(all.into_iter().eq(0..tasks), "{tasks} tasks, MOD {modulus}");
            }
        }
    }

    #[test]
    fn texts_that_are_no_shard_are_refused() {
        for wrong in [
            "",
            "/",
            "1",
            "1/0",
            "0/0",
            "1/1",
            "-1/2",
            "a/2",
            "0/1000001",
            "0/1/2",
        ] {
            assert_eq!(wrong.parse::<Shard>(), Err(ShardError(wrong.into())));
        }
        assert_eq!("0/1".parse(), Ok(Shard::WHOLE));
    }

    #[test]
    fn a_record_comes_back_as_it_was_written() {
        let record = record();
        let text = record.to_text();
        assert_eq!(ShardRecord::from_text(text.as_bytes()), Ok(record));
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&value["res"], &value["mod"]), (&3.into(), &7.into()));
    }

    #[test]
    fn a_record_with_any_byte_changed_or_the_end_missing_is_refused() {
        let text = record().to_text().into_bytes();
        for index in 0..text.len() {
            for flip in [1, 2, 4, 8, 16, 32, 64, 128, 255] {
                let mut wrong = text.clone();
                wrong[index] ^= flip;
                let outcome = ShardRecord::from_text(&wrong);
                assert!(outcome.is_err(), "byte {index} flipped by {flip}");
            }
            let outcome = ShardRecord::from_text(&text[..index]);
            assert!(outcome.is_err(), "cut at {index}");
        }
    }

    #[test]
    fn a_record_that_contradicts_itself_is_refused() {
        let mut short = record();
        short.counted.tasks -= 1;
        let mut wrong = record();
        wrong.counted.solutions += 1;
        let mut size = record();
        size.plan.n = 33;
        for record in [short, wrong, size] {
            let outcome = ShardRecord::from_text(record.to_text().as_bytes());
            assert!(matches!(outcome, Err(Flaw::Damaged(_))), "{outcome:?}");
        }
    }

    #[test]
    fn a_newer_or_foreign_record_is_told_from_a_damaged_one() {
        let text = record().to_text();
        let newer = text.replace("\"format_version\": 1", "\"format_version\": 2");
        let outcome = ShardRecord::from_text(newer.as_bytes());
        assert_eq!(outcome, Err(Flaw::Newer(2)));
        for foreign in ["hello", "{}", "[1]", "\u{0}"] {
            let outcome = ShardRecord::from_text(foreign.as_bytes());
            assert!(matches!(outcome, Err(Flaw::Foreign { .. })), "{outcome:?}");
        }
    }
}
