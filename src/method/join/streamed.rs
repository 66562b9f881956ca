//! Joining sets whose lists would be too long to be kept.
//!
//! The walked masks are made in *chunks* that have their first rows in common, and for each chunk
//! the sliced ones anew, group by group, without those that the chunk's rows meet. Nothing longer
//! than a chunk or a group ever stands in memory.

use super::Join;
use super::halves::{Prefix, Rule};
use super::work::{Found, Half, SMALL, Sliced, Workspace, swap, union};
use crate::method::{Cancel, TaskError};

/// A half to slice, and halves to walk.
pub(super) struct Job<'a> {
    pub sliced: Half,
    /// Sliced masks are classed by how many of these they have; classes before `from_class` do
    /// not count.
    pub classes: [u64; 2],
    pub from_class: usize,
    pub walked: &'a [Half],
}

/// What is fixed while a chunk of walked masks is joined.
struct Chunk<'a> {
    job: &'a Job<'a>,
    /// The sliced half's rule, with the diagonals of the chunk's common rows forbidden.
    rule: Rule,
    /// The bits that a walked mask has and one that keeps to the rule can have.
    bits: u64,
}

impl Join {
    pub(super) fn stream(
        &self,
        job: &Job,
        work: &mut Workspace,
        cancel: &Cancel,
    ) -> Result<Found, TaskError> {
        self.prepare(work);
        let mut found = Found::default();
        let starts: Vec<_> = job
            .walked
            .iter()
            .map(|half| (*half, self.halves.start(half.columns)))
            .collect();
        self.chunks(job, &starts, work, &mut found, cancel)?;
        Ok(found)
    }

    /// Joins chunk after chunk of the walked halves; these prefixes have the same queens.
    fn chunks(
        &self,
        job: &Job,
        prefixes: &[(Half, Prefix)],
        work: &mut Workspace,
        found: &mut Found,
        cancel: &Cancel,
    ) -> Result<(), TaskError> {
        let Some((_, first)) = prefixes.first() else {
            return Ok(());
        };
        if first.row == self.chunk {
            return self.chunk(job, prefixes, work, found, cancel);
        }
        for column in 0..self.n {
            let longer: Vec<_> = prefixes
                .iter()
                .filter(|(half, prefix)| self.halves.choices(prefix, &half.rule) >> column & 1 == 1)
                .map(|(half, prefix)| (*half, self.halves.extend(prefix, column)))
                .filter(|(half, prefix)| prefix.mask & half.rule.forbid == 0)
                .collect();
            self.chunks(job, &longer, work, found, cancel)?;
        }
        Ok(())
    }

    fn chunk(
        &self,
        job: &Job,
        prefixes: &[(Half, Prefix)],
        work: &mut Workspace,
        found: &mut Found,
        cancel: &Cancel,
    ) -> Result<(), TaskError> {
        let Workspace {
            levels, scratch, ..
        } = &mut *work;
        let common = swap(prefixes[0].1.mask);
        levels[0].iter_mut().for_each(Vec::clear);
        for (half, prefix) in prefixes {
            cancel.check()?;
            scratch.clear();
            self.halves
                .complete(prefix, &half.rule, self.operations, scratch);
            scratch
                .iter_mut()
                .for_each(|mask| *mask = swap(*mask | half.with));
            levels[0][half.list].extend_from_slice(scratch);
        }
        if levels[0].iter().all(Vec::is_empty) {
            return Ok(());
        }
        let forbid = job.sliced.rule.forbid | common;
        let bits = levels[0].iter().fold(0, |bits, list| bits | union(list)) & !forbid;
        let chunk = Chunk {
            job,
            rule: Rule {
                forbid,
                ..job.sliced.rule
            },
            bits,
        };
        self.groups(
            &chunk,
            &self.halves.start(job.sliced.columns),
            work,
            found,
            cancel,
        )
    }

    /// Joins all sliced masks with this prefix.
    fn groups(
        &self,
        chunk: &Chunk,
        prefix: &Prefix,
        work: &mut Workspace,
        found: &mut Found,
        cancel: &Cancel,
    ) -> Result<(), TaskError> {
        let rows = prefix.row as usize;
        if prefix.mask & chunk.rule.forbid != 0 {
            return Ok(());
        }
        if prefix.row == self.depth {
            cancel.check()?;
            let mut group = std::mem::take(&mut work.group);
            group.clear();
            self.halves
                .complete(prefix, &chunk.rule, self.operations, &mut group);
            if rows > 0 && group.len() < SMALL {
                work.small[rows - 1].extend_from_slice(&group);
            } else {
                self.join_streamed(
                    chunk,
                    prefix,
                    &group,
                    rows.saturating_sub(1),
                    work,
                    found,
                    cancel,
                )?;
            }
            work.group = group;
            return Ok(());
        }
        work.small[rows].clear();
        let mut free = self.halves.choices(prefix, &chunk.rule);
        while free != 0 {
            let longer = self.halves.extend(prefix, free.trailing_zeros());
            free &= free - 1;
            // The last row's share of the sifting is left to the making of addresses.
            if longer.row == self.depth || self.sift(&mut work.levels, rows + 1, longer.mask) {
                self.groups(chunk, &longer, work, found, cancel)?;
            }
        }
        let small = std::mem::take(&mut work.small[rows]);
        if !small.is_empty() {
            self.join_streamed(chunk, prefix, &small, rows, work, found, cancel)?;
        }
        work.small[rows] = small;
        Ok(())
    }

    #[allow(clippy::too_many_arguments)]
    fn join_streamed(
        &self,
        chunk: &Chunk,
        prefix: &Prefix,
        group: &[u64],
        level: usize,
        work: &mut Workspace,
        found: &mut Found,
        cancel: &Cancel,
    ) -> Result<(), TaskError> {
        let Workspace {
            levels,
            classes,
            scratch,
            last,
            ..
        } = work;
        scratch.clear();
        let lengths = self.append_classes(group, chunk.job.classes, classes, scratch);
        let bits = chunk.bits & union(group) & !prefix.mask;
        let sliced = Sliced {
            prefix: prefix.mask,
            bits,
            masks: scratch,
            lengths,
            from_class: chunk.job.from_class,
        };
        self.join(&levels[level], &sliced, last, found, cancel)
    }
}
