//! Joining sets whose lists are short enough to be kept whole (n up to 23).
//!
//! The half boards of a set are listed in groups by their first rows, to be sliced. On even boards
//! they serve twice: those free of the long diagonals are walked as well. On odd boards the walked
//! halves have other columns and are listed for themselves. Large lists are also walked in
//! *segments* with a common first row; what a segment's first row meets is left out of the groups
//! before they are sliced, so that both sides prune each other.

use super::Join;
use super::disjoint::Choice;
use super::halves::{Prefix, Rule};
use super::work::{Found, Half, Lists, SMALL, Sliced, Workspace, swap, union};
use crate::method::{Cancel, TaskError};

/// The half boards of one column set.
#[derive(Default)]
pub(super) struct Side {
    groups: Vec<Group>,
    masks: Vec<u64>,
}

/// Sliced masks with common first rows: from `start` on, class by class, each in whole words.
struct Group {
    /// The diagonals of the first row, of the first two, ...
    path: Path,
    rows: usize,
    start: usize,
    lengths: [usize; 3],
    /// All bits that any of the masks has.
    bits: u64,
}

type Path = [u64; 4];

/// Walked masks whose first row has the diagonals `path`, or any if 0.
#[derive(Default)]
pub(super) struct Segment {
    path: u64,
    lists: Lists,
}

impl Segment {
    fn clear(&mut self) {
        self.path = 0;
        self.lists.iter_mut().for_each(Vec::clear);
    }
}

impl Join {
    /// Lists the half boards of a column set, classed by how many of the bits `classes` they have.
    pub(super) fn keep(&self, columns: u32, classes: [u64; 2], which: usize, work: &mut Workspace) {
        self.prepare(work);
        let Workspace {
            sides,
            spread,
            small,
            classes: sorted,
            making,
            ..
        } = work;
        let side = &mut sides[which];
        let lists = (self.halves.rows() as usize).pow(self.depth);
        spread.resize_with(lists.max(spread.len()), Vec::new);
        spread.iter_mut().for_each(Vec::clear);
        self.halves.spread(
            columns,
            columns,
            self.depth,
            &Rule::default(),
            self.operations,
            making,
            spread,
        );
        side.groups.clear();
        side.masks.clear();
        let mut keep = Keep {
            join: self,
            columns,
            classes,
            side,
            sorted,
        };
        keep.groups(&self.halves.start(columns), [0; 4], 0, spread, small);
    }

    /// Makes those masks of a kept set that have none of the class bits the walked ones.
    pub(super) fn walk_kept(&self, which: usize, work: &mut Workspace) {
        let Workspace {
            sides, segments, ..
        } = work;
        let side = &sides[which];
        segments.iter_mut().for_each(Segment::clear);
        let mut count = 0;
        for group in &side.groups {
            let path = if self.chunk > 0 {
                swap(group.path[0])
            } else {
                0
            };
            if count == 0 || segments[count - 1].path != path {
                count += 1;
                segments.resize_with(count.max(segments.len()), Segment::default);
                segments[count - 1].path = path;
            }
            let free = &side.masks[group.start..][..group.lengths[0]];
            segments[count - 1].lists[0].extend(free.iter().map(|mask| swap(*mask)));
        }
    }

    /// Makes the masks of halves, on some of `columns`, the walked ones.
    pub(super) fn walk_halves(&self, halves: &[Half], columns: u32, work: &mut Workspace) {
        let Workspace {
            segments,
            spread,
            making,
            ..
        } = work;
        let count = if self.chunk == 0 {
            1
        } else {
            columns.count_ones() as usize
        };
        segments.resize_with(count.max(segments.len()), Segment::default);
        segments.iter_mut().for_each(Segment::clear);
        spread.resize_with(count.max(spread.len()), Vec::new);
        for half in halves {
            let lists = &mut spread[..count];
            lists.iter_mut().for_each(Vec::clear);
            self.halves.spread(
                half.columns,
                columns,
                self.chunk,
                &half.rule,
                self.operations,
                making,
                lists,
            );
            for (masks, segment) in lists.iter().zip(&mut *segments) {
                segment.lists[half.list].extend(masks.iter().map(|mask| swap(*mask | half.with)));
            }
        }
        if self.chunk > 0 {
            let (mut rest, start) = (columns, self.halves.start(columns));
            for segment in &mut segments[..count] {
                segment.path = swap(self.halves.extend(&start, rest.trailing_zeros()).mask);
                rest &= rest - 1;
            }
        }
    }

    /// Joins the walked masks to a kept set's.
    pub(super) fn join_kept(
        &self,
        which: usize,
        from_class: usize,
        work: &mut Workspace,
        cancel: &Cancel,
    ) -> Result<Found, TaskError> {
        let mut found = Found::default();
        let Workspace {
            sides,
            segments,
            levels,
            scratch,
            last,
            ..
        } = work;
        let side = &sides[which];
        for Segment { path, lists } in segments
            .iter_mut()
            .filter(|s| s.lists.iter().any(|list| !list.is_empty()))
        {
            // What its first row meets is left out of the groups.
            let bits = lists.iter().fold(0, |bits, list| bits | union(list)) & !*path;
            std::mem::swap(&mut levels[0], lists);
            let mut sifted: Path = [0; 4];
            for group in &side.groups {
                cancel.check()?;
                let prefix = if group.rows == 0 {
                    0
                } else {
                    group.path[group.rows - 1]
                };
                if prefix & *path != 0 {
                    continue;
                }
                // The last row's share of the sifting is left to the making of addresses.
                let level = group.rows.saturating_sub(1);
                for row in 1..=level {
                    if sifted[row] != group.path[row - 1] {
                        sifted[row] = group.path[row - 1];
                        sifted[row + 1..].fill(0);
                        self.sift(levels, row, sifted[row]);
                    }
                }
                let (mut masks, mut lengths) = (&side.masks[group.start..], group.lengths);
                if *path != 0 {
                    self.thin(masks, &mut lengths, *path, from_class, scratch);
                    masks = scratch;
                }
                let bits = bits & group.bits & !prefix;
                let sliced = Sliced {
                    prefix,
                    bits,
                    masks,
                    lengths,
                    from_class,
                };
                self.join(&levels[level], &sliced, last, &mut found, cancel)?;
            }
            std::mem::swap(&mut levels[0], lists);
        }
        Ok(found)
    }

    /// The masks of a group that have none of the bits `avoid`.
    fn thin(
        &self,
        masks: &[u64],
        lengths: &mut [usize; 3],
        avoid: u64,
        from_class: usize,
        out: &mut Vec<u64>,
    ) {
        out.clear();
        let mut at = 0;
        for (class, length) in lengths.iter_mut().enumerate() {
            let list = &masks[at..at + *length];
            at += length.next_multiple_of(64);
            *length = 0;
            if class >= from_class {
                let start = out.len();
                (self.operations.select)(list, Choice::without(avoid), out);
                *length = out.len() - start;
                out.resize(start + length.next_multiple_of(64), 0);
            }
        }
    }
}

/// Puts spread masks in groups.
struct Keep<'a> {
    join: &'a Join,
    columns: u32,
    classes: [u64; 2],
    side: &'a mut Side,
    sorted: &'a mut Lists,
}

impl Keep<'_> {
    /// All groups with this prefix, the small ones' masks last, as one; `index` is the prefix's.
    fn groups(
        &mut self,
        prefix: &Prefix,
        path: Path,
        index: usize,
        spread: &[Vec<u64>],
        small: &mut [Vec<u64>],
    ) {
        let (rows, halves) = (prefix.row as usize, &self.join.halves);
        if prefix.row == self.join.depth {
            return self.store(&spread[index], path, rows, small);
        }
        small[rows].clear();
        let (mut rest, mut position) = (self.columns, 0);
        while rest != 0 {
            let column = rest.trailing_zeros();
            rest &= rest - 1;
            if prefix.columns >> column & 1 == 1 {
                let longer = halves.extend(prefix, column);
                let mut path = path;
                path[rows] = longer.mask;
                self.groups(
                    &longer,
                    path,
                    index * halves.rows() as usize + position,
                    spread,
                    small,
                );
            }
            position += 1;
        }
        let rest = std::mem::take(&mut small[rows]);
        self.store(&rest, path, rows, small);
        small[rows] = rest;
    }

    fn store(&mut self, masks: &[u64], path: Path, rows: usize, small: &mut [Vec<u64>]) {
        if masks.is_empty() {
            return;
        }
        if rows > 0 && masks.len() < SMALL {
            small[rows - 1].extend_from_slice(masks);
            return;
        }
        let side = &mut *self.side;
        let start = side.masks.len();
        let lengths = self
            .join
            .append_classes(masks, self.classes, self.sorted, &mut side.masks);
        side.groups.push(Group {
            path,
            rows,
            start,
            lengths,
            bits: union(masks),
        });
    }
}
