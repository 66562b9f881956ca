//! Puts shards together: which are there, whether they agree, what is missing, and the total.
//!
//! A class of tasks (those of a shard RES/MOD) is covered by its own record, or by the records
//! of the p classes RES + i·MOD modulo p·MOD that it consists of, for some prime p, each covered
//! in one of these ways in turn. So shards of different MODs fit together wherever one's classes
//! consist of the other's. Where a class is covered in several ways, all must agree.

use std::collections::{BTreeMap, BTreeSet};

use super::record::Counted;
use super::shard::{Plan, Shard};
use super::tally::TallyError;

/// What a record is beside those that came before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// The first of its shard.
    New,
    /// The shard was there, with the same result.
    Repeated,
    /// The shard was there, with another result.
    Conflicting,
}

/// The records of one count.
#[derive(Debug, Clone)]
pub struct Merge {
    plan: Plan,
    records: BTreeMap<Shard, Record>,
}

#[derive(Debug, Clone)]
struct Record {
    counted: Counted,
    conflicting: bool,
}

/// What records add up to.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The whole count, if every task is covered and nothing disagrees.
    pub total: Option<Counted>,
    /// How many tasks the records that fit together cover.
    pub tasks_covered: u64,
    /// Shards that would cover the other tasks, those in conflict left out.
    pub missing: Vec<Shard>,
    /// Shards whose records disagree, among themselves or with those of their parts.
    pub conflicts: Vec<Shard>,
}

impl Merge {
    /// No records yet.
    pub fn new(plan: Plan) -> Merge {
        Merge {
            plan,
            records: BTreeMap::new(),
        }
    }

    /// How many different shards have records.
    pub fn shards(&self) -> usize {
        self.records.len()
    }

    /// Adds the record of a shard of this count.
    pub fn add(&mut self, shard: Shard, counted: &Counted) -> Standing {
        match self.records.get_mut(&shard) {
            None => {
                let record = Record {
                    counted: *counted,
                    conflicting: false,
                };
                self.records.insert(shard, record);
                Standing::New
            }
            Some(record) if record.counted.tally() == counted.tally() => {
                // Of two that agree, the better founded.
                if counted.double_checked > record.counted.double_checked {
                    record.counted = *counted;
                }
                Standing::Repeated
            }
            Some(record) => {
                record.conflicting = true;
                Standing::Conflicting
            }
        }
    }

    /// Fits the records together.
    ///
    /// # Errors
    /// [`TallyError`] if the sum does not fit or is not what its residue says.
    pub fn outcome(&self) -> Result<Outcome, TallyError> {
        let mut fitting = Fitting {
            tasks: self.plan.tasks,
            records: &self.records,
            usual_modulus: self.usual_modulus(),
            conflicts: BTreeSet::new(),
            covers: BTreeMap::new(),
        };
        let all: Vec<Shard> = self.records.keys().copied().collect();
        let mut cover = fitting.cover(Shard::WHOLE, &all)?;
        cover
            .missing
            .sort_by_key(|shard| (shard.modulus(), shard.res()));
        let conflicts: Vec<Shard> = fitting.conflicts.into_iter().collect();
        // What is there in conflict is not missing.
        cover
            .missing
            .retain(|shard| !conflicts.iter().any(|class| shard.is_part_of(*class)));
        cover.counted.tally().check()?;
        let whole = cover.missing.is_empty() && conflicts.is_empty();
        Ok(Outcome {
            total: whole.then_some(cover.counted),
            tasks_covered: cover.counted.tasks,
            missing: cover.missing,
            conflicts,
        })
    }

    /// The MOD of most records: what is missing is told in such shards.
    fn usual_modulus(&self) -> u64 {
        let mut times = BTreeMap::new();
        for shard in self.records.keys() {
            *times.entry(shard.modulus()).or_insert(0u64) += 1;
        }
        let most = times.into_iter().max_by_key(|&(_, times)| times);
        most.map_or(1, |(modulus, _)| modulus)
    }
}

struct Fitting<'a> {
    tasks: u64,
    records: &'a BTreeMap<Shard, Record>,
    usual_modulus: u64,
    conflicts: BTreeSet<Shard>,
    /// Every class looked at; splitting by primes in another order leads to the same ones.
    covers: BTreeMap<Shard, Cover>,
}

/// The best that is known of a class.
#[derive(Debug, Clone, Default)]
struct Cover {
    counted: Counted,
    missing: Vec<Shard>,
}

impl Fitting<'_> {
    /// Covers a class; `inside` are the records' shards that are parts of it, or it itself.
    fn cover(&mut self, class: Shard, inside: &[Shard]) -> Result<Cover, TallyError> {
        if let Some(cover) = self.covers.get(&class) {
            return Ok(cover.clone());
        }
        let mut best: Option<Cover> = None;
        if let Some(record) = self.records.get(&class) {
            if record.conflicting {
                self.conflicts.insert(class);
            } else {
                best = Some(Cover {
                    counted: record.counted,
                    missing: Vec::new(),
                });
            }
        }
        let parts: Vec<Shard> = inside.iter().copied().filter(|&s| s != class).collect();
        let quotients = parts.iter().map(|part| part.modulus() / class.modulus());
        let primes: BTreeSet<u64> = quotients
            .collect::<BTreeSet<u64>>()
            .into_iter()
            .flat_map(prime_factors)
            .collect();
        for prime in primes {
            let split = self.split(class, prime, &parts)?;
            match &best {
                Some(other) if other.missing.is_empty() && split.missing.is_empty() => {
                    if other.counted.tally() != split.counted.tally() {
                        self.conflicts.insert(class);
                    }
                }
                Some(other) if other.counted.tasks >= split.counted.tasks => {}
                _ => best = Some(split),
            }
        }
        let cover = best.unwrap_or_else(|| self.nothing_of(class));
        self.covers.insert(class, cover.clone());
        Ok(cover)
    }

    /// Covers a class by covering each of the `prime` classes that it consists of.
    fn split(&mut self, class: Shard, prime: u64, inside: &[Shard]) -> Result<Cover, TallyError> {
        let modulus = class.modulus() * prime;
        let mut children: BTreeMap<u64, Vec<Shard>> = BTreeMap::new();
        for &part in inside
            .iter()
            .filter(|s| s.modulus().is_multiple_of(modulus))
        {
            children.entry(part.res() % modulus).or_default().push(part);
        }
        let mut cover = Cover::default();
        for index in 0..prime {
            let res = class.res() + index * class.modulus();
            let child = Shard::new(res, modulus).expect("it divides the MOD of a shard");
            let part = match children.get(&res) {
                Some(inside) => self.cover(child, inside)?,
                None => self.nothing_of(child),
            };
            cover.counted.merge(&part.counted)?;
            cover.missing.extend(part.missing);
        }
        Ok(cover)
    }

    /// The cover of a class without any record.
    fn nothing_of(&self, class: Shard) -> Cover {
        let mut missing = Vec::new();
        let modulus = match self.usual_modulus {
            usual if usual.is_multiple_of(class.modulus()) => usual,
            _ => class.modulus(),
        };
        for res in (class.res()..modulus).step_by(class.modulus() as usize) {
            let shard = Shard::new(res, modulus).expect("RES is below MOD");
            // A shard beyond the last task has nothing to count.
            if shard.tasks_of(self.tasks) > 0 {
                missing.push(shard);
            }
        }
        Cover {
            counted: Counted::default(),
            missing,
        }
    }
}

/// The primes that divide a number, each once.
fn prime_factors(mut number: u64) -> Vec<u64> {
    let mut primes = Vec::new();
    let mut candidate = 2;
    while candidate * candidate <= number {
        if number.is_multiple_of(candidate) {
            primes.push(candidate);
            while number.is_multiple_of(candidate) {
                number /= candidate;
            }
        }
        candidate += 1;
    }
    if number > 1 {
        primes.push(number);
    }
    primes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TASKS: u64 = 50;

    fn plan() -> Plan {
        Plan {
            n: 12,
            method: "backtrack".into(),
            scheme: 1,
            tasks: TASKS,
        }
    }

    fn shard(text: &str) -> Shard {
        text.parse().unwrap()
    }

    /// A right record, where task t has 1000 + t solutions.
    fn counted(shard: Shard) -> Counted {
        let tasks = shard.tasks_of(TASKS);
        let solutions: u64 = (0..tasks).map(|position| 1000 + shard.task(position)).sum();
        Counted {
            tasks,
            solutions: u128::from(solutions),
            residue: solutions,
            ..Counted::default()
        }
    }

    fn merged(shards: &[&str]) -> Merge {
        let mut merge = Merge::new(plan());
        for text in shards {
            merge.add(shard(text), &counted(shard(text)));
        }
        merge
    }

    fn outcome(shards: &[&str]) -> Outcome {
        merged(shards).outcome().unwrap()
    }

    fn missing(shards: &[&str]) -> Vec<String> {
        let outcome = outcome(shards);
        assert_eq!(outcome.total.is_none(), !outcome.missing.is_empty());
        outcome.missing.iter().map(Shard::to_string).collect()
    }

    #[test]
    fn exact_covers_have_the_total() {
        for shards in [
            &["0/1"][..],
            &["2/3", "0/3", "1/3"],
            &["0/2", "1/4", "3/4"],
            &["0/2", "1/6", "3/6", "5/6"],
            &["1/2", "0/6", "2/6", "4/12", "10/12"],
            &["0/3", "1/6", "4/6", "2/12", "5/12", "8/12", "11/12"],
            // More than is needed, in agreement.
            &["0/2", "1/2", "0/4", "2/4", "0/3"],
        ] {
            assert_eq!(
                outcome(shards).total,
                Some(counted(Shard::WHOLE)),
                "{shards:?}"
            );
        }
    }

    #[test]
    fn shards_without_tasks_are_not_missed() {
        let all: Vec<String> = (0..TASKS).map(|res| format!("{res}/64")).collect();
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        assert_eq!(outcome(&all).total, Some(counted(Shard::WHOLE)));
    }

    #[test]
    fn what_is_missing_is_told_in_the_usual_shards() {
        assert_eq!(missing(&[]), ["0/1"]);
        assert_eq!(
            missing(&["1/8"]),
            ["0/8", "2/8", "3/8", "4/8", "5/8", "6/8", "7/8"]
        );
        assert_eq!(missing(&["0/2", "1/4"]), ["3/4"]);
        assert_eq!(missing(&["0/2", "1/2", "0/4"]), [""; 0]);
        assert_eq!(missing(&["0/3", "1/3", "0/2"]), ["2/3"]);
        assert_eq!(outcome(&["0/3", "1/3", "0/2"]).tasks_covered, 34);
    }

    #[test]
    fn conflicts_leave_no_total() {
        let mut wrong = counted(shard("1/2"));
        (wrong.solutions, wrong.residue) = (wrong.solutions + 1, wrong.residue + 1);

        let mut merge = merged(&["0/2", "1/2"]);
        assert_eq!(
            merge.add(shard("0/2"), &counted(shard("0/2"))),
            Standing::Repeated
        );
        assert_eq!(merge.add(shard("1/2"), &wrong), Standing::Conflicting);
        let outcome = merge.outcome().unwrap();
        assert_eq!(
            (outcome.total, outcome.conflicts, outcome.missing),
            (None, vec![shard("1/2")], vec![])
        );

        // A whole that is not its parts.
        let mut merge = merged(&["0/2", "1/4", "3/4"]);
        assert_eq!(merge.add(shard("1/2"), &wrong), Standing::New);
        let outcome = merge.outcome().unwrap();
        assert_eq!(
            (outcome.total, outcome.conflicts),
            (None, vec![shard("1/2")])
        );
    }

    proptest! {
        #[test]
        fn a_total_is_right_or_something_is_missing(
            splits in prop::collection::vec((any::<prop::sample::Index>(), 2u64..=5), 0..8),
            dropped in prop::option::of(any::<prop::sample::Index>()),
            extra in prop::collection::vec((0u64..30, 1u64..30), 0..4),
        ) {
            // Any partition that splits shards in turn, in any order, with or without a gap.
            let mut shards = vec![Shard::WHOLE];
            for (index, parts) in splits {
                let class = shards.swap_remove(index.index(shards.len()));
                for part in 0..parts {
                    let res = class.res() + part * class.modulus();
                    shards.push(Shard::new(res, class.modulus() * parts).unwrap());
                }
            }
            if let Some(index) = dropped {
                shards.swap_remove(index.index(shards.len()));
            }
            let extra = extra.into_iter().map(|(res, modulus)| Shard::new(res % modulus, modulus).unwrap());
            shards.extend(extra);
            let mut merge = Merge::new(plan());
            for &shard in &shards {
                merge.add(shard, &counted(shard));
            }
            let outcome = merge.outcome().unwrap();
            prop_assert!(outcome.conflicts.is_empty());
            if dropped.is_none() {
                prop_assert!(outcome.missing.is_empty());
            }
            // What it asks for completes it.
            for &shard in &outcome.missing {
                prop_assert!(outcome.total.is_none());
                merge.add(shard, &counted(shard));
            }
            let total = merge.outcome().unwrap().total.unwrap();
            prop_assert_eq!(total.tally(), counted(Shard::WHOLE).tally());
        }
    }
}
