//! `queens count N --shard RES/MOD`: one part of a count, told as a record.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use queens::Size;
use queens::method::join::Kernel;
use queens::method::{Method, MethodName};
use queens::run::checkpoint::set_aside;
use queens::run::record::FileError;
use queens::run::shard::{Plan, Shard, ShardRecord};

use super::counting::{Counting, Part, chosen};
use super::output::Output;
use super::saving::{LongRun, explained};
use super::tell;

/// What to count and where to tell it.
pub struct Job<'a> {
    /// The board size.
    pub size: Size,
    /// How to count.
    pub method: MethodName,
    /// By which inner loops, where the method has any.
    pub kernel: Kernel,
    /// The part.
    pub shard: Shard,
    /// The file for the record; stdout if none.
    pub output: Option<&'a Path>,
    /// The options of long runs.
    pub long: &'a LongRun,
}

/// Counts a shard, unless the output file has its record already.
pub fn run(job: &Job, counting: &Counting) -> anyhow::Result<()> {
    let start = Instant::now();
    let method = chosen(job.method, job.size, job.kernel, job.long)?;
    let file = job.output.filter(|path| path.is_file());
    if let Some(path) = file
        && settle(path, job, &*method, counting.is_quiet())?
    {
        return Ok(());
    }
    let mut output = Output::open(job.output)?;
    let part = counting.part(job.size, &*method, job.shard, job.long, start)?;
    let record = record(part, job.shard).to_text();
    output
        .write_all(record.as_bytes())
        .context("cannot write the shard record")?;
    output.finish()
}

/// Whether the file that is there has the record. One that has something else is an error, or
/// set aside.
fn settle(path: &Path, job: &Job, method: &dyn Method, quiet: bool) -> anyhow::Result<bool> {
    if job.long.force_new {
        let aside = set_aside(path)?;
        if !quiet {
            let (path, aside) = (path.display(), aside.display());
            tell(format_args!("queens: {path} was there: it is {aside} now"));
        }
        return Ok(false);
    }
    let plan = Plan::new(job.size, method);
    let record = ShardRecord::read(path).map_err(explained)?;
    record
        .check(&plan, job.shard, job.long.double_check)
        .map_err(|flaw| {
            explained(FileError::Flaw {
                path: path.to_owned(),
                flaw,
            })
        })?;
    if !quiet {
        let (path, shard) = (path.display(), job.shard);
        tell(format_args!(
            "queens: {path} has the complete record of shard {shard} already"
        ));
    }
    Ok(true)
}

fn record(part: Part, shard: Shard) -> ShardRecord {
    ShardRecord {
        plan: part.plan,
        shard,
        counted: part.counted,
        tasks_resumed: part.resumed,
        kernel: part.kernel.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        host: rustix::system::uname()
            .nodename()
            .to_string_lossy()
            .into_owned(),
    }
}
