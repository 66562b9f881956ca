//! Records in files: versioned JSON with a checksum over everything before it.
//!
//! A record is a JSON object whose first members are `format` and `format_version` and whose
//! last is `checksum`: "crc32:" and the CRC-32 (IEEE) in hexadecimal of all bytes of the file
//! before the comma and line break in front of it. Whoever changes one byte of a record, a
//! space even, has another record, and it is refused. Sums stand there as text, since many
//! readers of JSON keep only 53 bits of a number.

use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::shard::{Plan, Shard};
use super::tally::{Tally, TallyError};

/// The newest version of the formats that this program reads, and the one it writes.
pub const FORMAT_VERSION: u32 = 1;

/// What stands between the body of a record and its checksum.
const CHECKSUM: &str = ",\n  \"checksum\": \"crc32:";

/// What is wrong with the text of a record.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Flaw {
    /// Not a record of this kind at all.
    #[error("it is no {wanted}{}", .found.as_ref().map(|found| format!(" but a {found}")).unwrap_or_default())]
    Foreign {
        /// The format that was expected.
        wanted: &'static str,
        /// The format it says it has, if it is one of this program's.
        found: Option<String>,
    },
    /// Written by a later version of this program.
    #[error(
        "it has format version {0}, but this program reads versions up to {FORMAT_VERSION}: use a \
         newer program"
    )]
    Newer(u64),
    /// Truncated, edited, or spoilt by a disk.
    #[error("it is damaged: {0}")]
    Damaged(String),
    /// Whole, but of another count.
    #[error("it is of {what} {found}, not {wanted}")]
    Other {
        /// The property that differs: "n", "method", "shard".
        what: &'static str,
        /// What the file has.
        found: String,
        /// What was asked for.
        wanted: String,
    },
    /// Counted once where every task had to be counted twice.
    #[error("only {checked} of its {done} tasks were double-checked")]
    NotDoubleChecked {
        /// How many were.
        checked: u64,
        /// How many there are.
        done: u64,
    },
}

/// Why a file of records could not be used.
#[derive(Debug, Error)]
pub enum FileError {
    /// The system refused to read or write it.
    #[error("cannot {doing} {}", .path.display())]
    Io {
        /// "read", "write" and the like.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// It was read and is not what is needed.
    #[error("{}: {flaw}", .path.display())]
    Flaw {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        flaw: Flaw,
    },
    /// Another process holds the lock on it.
    #[error("{}: another process is using it", .0.display())]
    Locked(
        /// The file.
        PathBuf,
    ),
    /// Another process put a file of its own in its place.
    #[error("{}: another file was put in its place; it is left alone", .0.display())]
    Replaced(
        /// The file.
        PathBuf,
    ),
    /// A link to nothing.
    #[error("{}: it is a link, and what it points to is not there: make that, or remove the link", .0.display())]
    Dangling(
        /// The link.
        PathBuf,
    ),
    /// A folder, a device or a pipe.
    #[error("{}: it is no ordinary file", .0.display())]
    NotAFile(
        /// The path.
        PathBuf,
    ),
}

impl FileError {
    pub(crate) fn io(doing: &'static str, path: &Path) -> impl Fn(io::Error) -> FileError {
        let path = path.to_owned();
        move |source| FileError::Io {
            doing,
            path: path.clone(),
            source,
        }
    }
}

/// The formats by name.
pub(crate) trait Format: Serialize + DeserializeOwned {
    /// What the member `format` says: "queens checkpoint", "queens shard".
    const NAME: &'static str;
}

#[derive(Serialize)]
struct Versioned<'a, T> {
    format: &'static str,
    format_version: u32,
    #[serde(flatten)]
    record: &'a T,
}

/// The text of a record, checksum included.
pub(crate) fn seal<T: Format>(record: &T) -> String {
    let versioned = Versioned {
        format: T::NAME,
        format_version: FORMAT_VERSION,
        record,
    };
    let text = serde_json::to_string_pretty(&versioned).expect("a record is plain data");
    with_checksum(text.strip_suffix("\n}").expect("an object has members"))
}

fn with_checksum(body: &str) -> String {
    let checksum = crc32fast::hash(body.as_bytes());
    format!("{body}{CHECKSUM}{checksum:08x}\"\n}}\n")
}

/// The record in a text.
pub(crate) fn unseal<T: Format>(bytes: &[u8]) -> Result<T, Flaw> {
    let foreign = |found| Flaw::Foreign {
        wanted: T::NAME,
        found,
    };
    let damaged = |why: &dyn std::fmt::Display| Flaw::Damaged(why.to_string());
    let text = str::from_utf8(bytes).map_err(|_| foreign(None))?;
    let value: serde_json::Value = match serde_json::from_str(text) {
        Ok(value) => value,
        // What begins as a record does is a damaged one.
        Err(error) if text.starts_with("{\n  \"format\": \"queens") => return Err(damaged(&error)),
        Err(_) if text.is_empty() => return Err(damaged(&"it is empty")),
        Err(_) => return Err(foreign(None)),
    };
    let format = value.get("format").and_then(|format| format.as_str());
    if format != Some(T::NAME) {
        let ours = format.filter(|format| format.starts_with("queens "));
        return Err(foreign(ours.map(str::to_owned)));
    }
    let version = value.get("format_version").and_then(|v| v.as_u64());
    match version {
        Some(version) if version > u64::from(FORMAT_VERSION) => return Err(Flaw::Newer(version)),
        Some(1..) => {}
        _ => return Err(damaged(&"it has no format version")),
    }
    let (body, _) = text
        .rsplit_once(CHECKSUM)
        .ok_or_else(|| damaged(&"it has no checksum"))?;
    if with_checksum(body) != text {
        return Err(damaged(&"its checksum does not fit"));
    }
    serde_json::from_value(value).map_err(|error| damaged(&error))
}

/// A number as text.
pub(crate) mod as_text {
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub fn serialize<S: Serializer>(number: &u128, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(number)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u128, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse()
            .map_err(|_| de::Error::custom(format!("'{text}' is no number of solutions")))
    }
}

/// No count takes so long: 30 000 years.
const MOST_SECONDS: f64 = 1e12;

/// What was counted of a part of a count, as checkpoints and shard records have it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Counted {
    /// How many tasks are finished.
    #[serde(rename = "tasks_done")]
    pub tasks: u64,
    /// How many of these were counted in two ways that agreed.
    pub double_checked: u64,
    /// The solutions they stand for.
    #[serde(with = "as_text")]
    pub solutions: u128,
    /// The same modulo [`RESIDUE_MODULUS`](super::tally::RESIDUE_MODULUS), accumulated apart.
    pub residue: u64,
    /// The time spent on them, in seconds, over all the runs it took.
    pub seconds: f64,
}

impl Counted {
    /// The sum.
    pub fn tally(&self) -> Tally {
        Tally {
            tasks: self.tasks,
            solutions: self.solutions,
            residue: self.residue,
        }
    }

    /// Adds tasks that were counted elsewhere or later.
    ///
    /// # Errors
    /// [`TallyError::Overflow`] if the sum does not fit; nothing is changed then.
    pub fn merge(&mut self, other: &Counted) -> Result<(), TallyError> {
        let mut tally = self.tally();
        tally.merge(&other.tally())?;
        *self = Counted {
            tasks: tally.tasks,
            double_checked: self.double_checked + other.double_checked,
            solutions: tally.solutions,
            residue: tally.residue,
            seconds: self.seconds + other.seconds,
        };
        Ok(())
    }

    /// Whether the numbers can be true of a part of so many tasks.
    pub(crate) fn check(&self, tasks: u64) -> Result<(), Flaw> {
        let damaged = |why: String| Err(Flaw::Damaged(why));
        if self.tasks > tasks || self.double_checked > self.tasks {
            return damaged("it has more tasks done than there are".to_owned());
        }
        if self.tasks == 0 && self.solutions != 0 {
            return damaged("it has solutions of no tasks".to_owned());
        }
        if !(0.0..MOST_SECONDS).contains(&self.seconds) {
            return damaged("its time is no time".to_owned());
        }
        self.tally()
            .check()
            .or_else(|_| damaged("its sum and its residue do not belong together".to_owned()))
    }
}

/// Refuses a record of another count or shard.
pub(crate) fn same_part(found: (&Plan, Shard), wanted: (&Plan, Shard)) -> Result<(), Flaw> {
    let differs = |what, found: &dyn ToString, wanted: &dyn ToString| {
        let (found, wanted) = (found.to_string(), wanted.to_string());
        if found == wanted {
            Ok(())
        } else {
            Err(Flaw::Other {
                what,
                found,
                wanted,
            })
        }
    };
    let ((found, found_shard), (wanted, wanted_shard)) = (found, wanted);
    differs("n =", &found.n, &wanted.n)?;
    differs("method", &found.method, &wanted.method)?;
    differs("task scheme", &found.scheme, &wanted.scheme)?;
    differs("a number of tasks,", &found.tasks, &wanted.tasks)?;
    differs("shard", &found_shard, &wanted_shard)
}
