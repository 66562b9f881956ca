//! `queens merge`: the total of a count that was cut into shards.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use queens::method::MethodName;
use queens::run::merge::{Merge, Standing};
use queens::run::record::{Counted, FileError, Flaw};
use queens::run::shard::{Plan, Shard, ShardRecord};
use queens::{Size, known};

use super::args::Work;
use super::counting::Counting;
use super::output::Output;
use super::tell;

/// Add up shard records to the total
///
/// Tells on stderr what is new, repeated, conflicting, of another count, damaged or missing, the
/// last as the commands that would compute it. The total is printed only if the records cover
/// every task and agree; else the exit status is 1.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    queens merge results                    every record in a folder\n  \
    queens merge results -n 20              only those of n = 20\n  \
    queens merge a.json b.json --fundamental")]
pub struct Args {
    /// Shard records, or folders that have them
    #[arg(value_name = "FILES | FOLDER", required = true)]
    paths: Vec<PathBuf>,

    /// The board size, needed where records of several are given
    #[arg(short = 'n', long, value_name = "N", allow_negative_numbers = true)]
    size: Option<Size>,

    /// Print the number of solutions up to rotation and reflection
    #[arg(long)]
    fundamental: bool,

    /// Write the total to FILE, which appears when it is complete
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    work: Work,
}

/// So many missing shards, and so many in conflict, are told one by one.
const MOST_TOLD: usize = 100;

/// A good record and where it stands.
struct Found {
    path: PathBuf,
    record: ShardRecord,
}

/// Prints the total.
pub fn run(args: Args) -> anyhow::Result<()> {
    let mut output = Output::open(args.output.as_deref())?;
    let quiet = args.work.quiet;
    let found = read(&args.paths, quiet)?;
    let Some(plan) = choose(&found, args.size)? else {
        bail!("there is no shard record{}: no total", of_size(args.size));
    };
    let merge = add(&found, &plan, quiet);
    let outcome = merge.outcome()?;
    report_missing(&outcome.missing, &plan, &found);
    report_conflicts(&outcome.conflicts, &plan, &found);
    let Some(total) = outcome.total else {
        let (covered, all) = (outcome.tasks_covered, plan.tasks);
        match (outcome.conflicts.len(), outcome.missing.len()) {
            (0, missing) => {
                let shards = plural(missing, "shard");
                bail!(
                    "n = {}: {covered} of {all} tasks are covered; {shards} missing: no total",
                    plan.n
                )
            }
            (conflicts, _) => {
                let shards = plural(conflicts, "shard");
                bail!(
                    "n = {}: {shards} with conflicting records: no total",
                    plan.n
                )
            }
        }
    };
    compare_others(&found, &plan, &total)?;
    if !quiet {
        told(&total, &plan, merge.shards());
    }
    let size = Size::new(plan.n)?;
    known::compare_all(size, total.solutions)?;
    let number = if args.fundamental {
        let classes = Counting::new(args.work)?.fundamental(size, total.solutions)?;
        known::compare_fundamental(size, classes)?;
        classes
    } else {
        total.solutions
    };
    output.line(&number.to_string())?;
    output.finish()
}

/// Reads every record, and tells of files that are none.
fn read(paths: &[PathBuf], quiet: bool) -> anyhow::Result<Vec<Found>> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let cannot = || format!("cannot read {}", path.display());
            for entry in fs::read_dir(path).with_context(cannot)? {
                let file = entry.with_context(cannot)?.path();
                let hidden = file
                    .file_name()
                    .is_some_and(|n| n.as_encoded_bytes()[0] == b'.');
                if hidden || file.is_dir() {
                    continue;
                }
                if is_set_aside(&file) {
                    if !quiet {
                        tell(format_args!("queens: set aside    {}", file.display()));
                    }
                } else {
                    files.push(file);
                }
            }
        } else {
            files.push(path.clone());
        }
    }
    files.sort();
    // A file that is named twice is not a record repeated.
    files.dedup();
    let mut found = Vec::new();
    let mut known = HashMap::new();
    for path in files {
        match ShardRecord::read(&path) {
            Ok(record) => {
                let cut = known
                    .entry(record.plan.clone())
                    .or_insert_with(|| Cut::of(&record.plan));
                let (name, version) = (path.display(), &record.version);
                match cut {
                    Cut::Impossible(why) => {
                        tell(format_args!(
                            "queens: refused      {name}: {why} (version {version} wrote it)"
                        ));
                        continue;
                    }
                    Cut::Unknown => tell(format_args!(
                        "queens: unchecked    {name}: this program does not know task scheme {} \
                         (version {version} wrote it)",
                        record.plan.scheme
                    )),
                    Cut::Known => {}
                }
                found.push(Found { path, record });
            }
            Err(FileError::Flaw { path, flaw }) => {
                let name = path.display();
                match flaw {
                    Flaw::Damaged(why) => tell(format_args!("queens: damaged      {name}: {why}")),
                    Flaw::Newer(_) => tell(format_args!("queens: newer        {name}: {flaw}")),
                    _ if quiet => {}
                    flaw => tell(format_args!("queens: no record    {name}: {flaw}")),
                }
            }
            // One that was named must be there; others are as good as not there.
            Err(error) if paths.contains(&path) => return Err(error.into()),
            Err(error) => tell(format_args!(
                "queens: unreadable   {:#}",
                anyhow::Error::from(error)
            )),
        }
    }
    Ok(found)
}

/// Whether `--force-new` gave the file its name: FILE.old, FILE.old-2 and so on.
fn is_set_aside(file: &Path) -> bool {
    let extension = file
        .extension()
        .map(|extension| extension.to_string_lossy());
    extension.is_some_and(|extension| {
        let number = extension.strip_prefix("old-");
        extension == "old" || number.is_some_and(|number| number.parse::<u64>().is_ok())
    })
}

/// What this program knows of the way a count was cut into tasks.
enum Cut {
    /// It cuts it so too.
    Known,
    /// The task scheme is of another version.
    Unknown,
    /// It is not so, and why.
    Impossible(String),
}

impl Cut {
    fn of(plan: &Plan) -> Cut {
        let Some(name) = MethodName::ALL
            .into_iter()
            .find(|name| name.name() == plan.method)
        else {
            return Cut::Impossible(format!("this program has no method '{}'", plan.method));
        };
        let ours = Size::new(plan.n)
            .map_err(anyhow::Error::from)
            .and_then(|size| Ok(Plan::new(size, &*name.for_size(size)?)));
        match ours {
            Err(error) => Cut::Impossible(error.to_string()),
            Ok(ours) if ours.scheme != plan.scheme => Cut::Unknown,
            Ok(ours) if ours.tasks != plan.tasks => Cut::Impossible(format!(
                "it has {} as the number of all tasks, but for {plan} it is {}",
                plan.tasks, ours.tasks
            )),
            Ok(_) => Cut::Known,
        }
    }
}

/// The count that is meant: of one board size, that whose records cover the largest share of its
/// tasks.
fn choose(found: &[Found], size: Option<Size>) -> anyhow::Result<Option<Plan>> {
    let sizes: BTreeSet<u32> = found.iter().map(|found| found.record.plan.n).collect();
    let n = match (size, sizes.len()) {
        (Some(size), _) => size.get(),
        (None, 0) => return Ok(None),
        (None, 1) => *sizes.first().expect("there is one"),
        (None, _) => {
            let sizes: Vec<String> = sizes.iter().map(u32::to_string).collect();
            let first = &sizes[0];
            bail!(
                "the records are of n = {}: say which total is meant, for instance -n {first}",
                sizes.join(" and ")
            );
        }
    };
    let plans = found.iter().map(|found| &found.record.plan);
    let plans: HashSet<&Plan> = plans.filter(|plan| plan.n == n).collect();
    let mut plans: Vec<&Plan> = plans.into_iter().collect();
    // Of plans that cover the same share of their tasks, the one whose name comes first.
    let mut shares = HashMap::new();
    for &plan in &plans {
        let covered = merged(found, plan).outcome()?.tasks_covered;
        shares.insert(plan, covered as f64 / plan.tasks.max(1) as f64);
    }
    plans.sort_by_key(|plan| (&plan.method, plan.scheme, plan.tasks));
    plans.sort_by(|a, b| shares[b].total_cmp(&shares[a]));
    Ok(plans.first().map(|&plan| plan.clone()))
}

/// The records of a plan.
fn merged(found: &[Found], plan: &Plan) -> Merge {
    let mut merge = Merge::new(plan.clone());
    for Found { record, .. } in found.iter().filter(|found| found.record.plan == *plan) {
        merge.add(record.shard, &record.counted);
    }
    merge
}

/// Adds the records of a plan, and tells how each stands.
fn add(found: &[Found], plan: &Plan, quiet: bool) -> Merge {
    let mut merge = Merge::new(plan.clone());
    let mut first: BTreeMap<Shard, &Path> = BTreeMap::new();
    for Found { path, record } in found {
        let (name, shard) = (path.display(), record.shard);
        if record.plan != *plan {
            if quiet {
                continue;
            }
            tell(format_args!(
                "queens: another      {name}: it is of {}, not of {plan}",
                record.plan
            ));
            continue;
        }
        let standing = merge.add(shard, &record.counted);
        let before = first.entry(shard).or_insert(path).display();
        match standing {
            Standing::New if quiet => {}
            Standing::New => tell(format_args!("queens: new          {name}: shard {shard}")),
            Standing::Repeated if quiet => {}
            Standing::Repeated => {
                tell(format_args!(
                    "queens: repeated     {name}: shard {shard}, identical to {before}"
                ));
            }
            Standing::Conflicting => tell(format_args!(
                "queens: CONFLICTING  {name}: shard {shard} has {} solutions, not as in {before}",
                record.counted.solutions
            )),
        }
    }
    merge
}

/// Tells the commands that would compute what is missing.
fn report_missing(missing: &[Shard], plan: &Plan, found: &[Found]) {
    for shard in missing.iter().take(MOST_TOLD) {
        let file = file_for(*shard, plan, found);
        let anew = if file.exists() { " --force-new" } else { "" };
        let file = quoted(&file.to_string_lossy());
        tell(format_args!(
            "queens: missing      {} -o {file}{anew}",
            command(plan, *shard)
        ));
    }
    if missing.len() > MOST_TOLD {
        let more = plural(missing.len() - MOST_TOLD, "more shard");
        tell(format_args!("queens: and {more} missing"));
    }
}

/// Tells what to do about records that disagree.
fn report_conflicts(conflicts: &[Shard], plan: &Plan, found: &[Found]) {
    for &class in conflicts.iter().take(MOST_TOLD) {
        let files: Vec<String> = found
            .iter()
            .filter(|Found { record, .. }| record.plan == *plan && record.shard.is_part_of(class))
            .map(|found| quoted(&found.path.to_string_lossy()))
            .collect();
        let file = quoted(&file_for(class, plan, found).to_string_lossy());
        tell(format_args!(
            "queens: CONFLICTING  shard {class}: move away {}; then: {} --double-check -o {file}",
            files.join(" "),
            command(plan, class)
        ));
    }
}

/// Where the record of a shard belongs: beside the others.
fn file_for(shard: Shard, plan: &Plan, found: &[Found]) -> PathBuf {
    let name = format!("{}-{}-of-{}.json", plan.n, shard.res(), shard.modulus());
    let folder = found
        .iter()
        .find(|found| found.record.plan == *plan)
        .and_then(|found| found.path.parent());
    folder.map_or(PathBuf::from(&name), |folder| folder.join(&name))
}

fn command(plan: &Plan, shard: Shard) -> String {
    let Plan { n, method, .. } = plan;
    format!("queens count {n} --method {method} --shard {shard}")
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+=,:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Holds the total against those of other methods and schemes whose records are complete.
fn compare_others(found: &[Found], plan: &Plan, total: &Counted) -> anyhow::Result<()> {
    let others: BTreeMap<String, &Plan> = found
        .iter()
        .map(|found| &found.record.plan)
        .filter(|other| other.n == plan.n && *other != plan)
        .map(|other| (other.to_string(), other))
        .collect();
    for other in others.into_values() {
        if let Some(sum) = merged(found, other).outcome()?.total
            && sum.solutions != total.solutions
        {
            bail!(
                "CONFLICTING totals: {} by {plan}, but {} by {other}",
                total.solutions,
                sum.solutions
            );
        }
    }
    Ok(())
}

fn told(total: &Counted, plan: &Plan, shards: usize) {
    let checked = match total.double_checked {
        0 => String::new(),
        checked => format!(", {checked} of them double-checked"),
    };
    tell(format_args!(
        "queens: n = {}: {} {} all {}{checked}; {:.0} s in all",
        plan.n,
        plural(shards, "shard"),
        if shards == 1 { "covers" } else { "cover" },
        plural(plan.tasks as usize, "task"),
        total.seconds
    ));
}

fn plural(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

fn of_size(size: Option<Size>) -> String {
    size.map(|size| format!(" of n = {size}"))
        .unwrap_or_default()
}
