//! Quarter boards: the placements of some rows of a half, for every set of columns.
//!
//! Two kinds. Of the *outer* rows, far from the line, the placements are listed as bare masks of
//! the diagonals that cross the line before those rows ([`Layer`]), for they are many. Of the rows
//! nearer the line they are few, and it is known of each what it does to the masks beyond: which
//! it attacks, what it adds ([`Quarter`]). A half board is a placement of each kind on disjoint
//! sets of columns, such that
//!
//! ```text
//! outer mask & the diagonals of the inner queens that reach the outer rows == 0.
//! ```

use super::columns::{Ranks, binomial, next};
use super::disjoint::{Choice, Operations, Target};
use super::halves::{Geometry, Rule};
use super::pages::LongList;

/// Buffers for the making of lists.
#[derive(Default)]
pub struct Scratch {
    /// Masks of the rows beyond the first quarter.
    pub beyond: Vec<u64>,
    /// Placements on the set of columns in hand.
    pub targets: Vec<Target>,
}

/// By what rule lists are made, by which loops, and in what buffer.
pub(super) struct Making<'a> {
    pub rule: &'a Rule,
    pub operations: &'a Operations,
    /// Whether the lists beyond are likely to be far away in memory.
    pub far: bool,
    pub targets: &'a mut Vec<Target>,
}

/// Lists that are fetched before they are read: enough to hide the memory behind the work.
const AHEAD: usize = 6;

/// The placements of the outermost rows, for each set of columns.
pub(super) struct Layer {
    ranks: Ranks,
    /// Lists a set has: for odd boards, one for each row in which the middle column's queen can
    /// stand (the first, where a set lacks that column), from the outermost row inwards, so that
    /// "not in the first rows" is a prefix of the parts.
    parts: usize,
    starts: Vec<u32>,
    masks: LongList,
}

impl Layer {
    /// The outermost `depth` rows, each layer from the one before by a queen in the next row inwards.
    pub fn new(geometry: &Geometry, depth: u32, operations: &Operations) -> Layer {
        let Geometry { n, rows, odd, .. } = *geometry;
        let middle = if odd { 1u32 << (n / 2) } else { 0 };
        let mut layer = Layer {
            ranks: Ranks::new(0),
            parts: 1,
            starts: vec![0, 1],
            masks: LongList::new(1),
        };
        layer.masks.append(&[0]);
        let mut list = Vec::new();
        for size in 1..=depth {
            let row = rows - size;
            let keep = geometry.diagonals_from(row, row);
            let parts = if odd { size as usize } else { 1 };
            // At most, every placement goes with a queen in any other column.
            let most = layer.masks.len() * (n + 1 - size) as usize;
            let (mut starts, mut masks) = (vec![0], LongList::new(most));
            let mut set = (1u32 << size) - 1;
            for _ in 0..binomial(n, size) {
                for part in 0..parts {
                    list.clear();
                    let mut rest = set;
                    while rest != 0 {
                        let queen = rest & rest.wrapping_neg();
                        rest ^= queen;
                        let column = queen.trailing_zeros();
                        let (avoid, with) = (
                            geometry.diagonals(column, row, row + 1),
                            geometry.diagonals(column, row, row),
                        );
                        let choice = Choice { avoid, keep, with };
                        if queen == middle {
                            // This row is the innermost so far, and so the last part.
                            if part == parts - 1 {
                                (operations.select)(
                                    layer.list(set ^ queen, layer.parts),
                                    choice,
                                    &mut list,
                                );
                            }
                        } else if part < layer.parts {
                            (operations.select)(layer.part(set ^ queen, part), choice, &mut list);
                        }
                    }
                    masks.append(&list);
                    starts.push(u32::try_from(masks.len()).expect("the outer rows are few"));
                }
                set = next(set);
            }
            layer = Layer {
                ranks: Ranks::new(size),
                parts,
                starts,
                masks,
            };
        }
        layer
    }

    fn part(&self, set: u32, part: usize) -> &[u64] {
        let at = self.ranks.of(set) * self.parts + part;
        &self.masks[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// The first so many parts of a set's list.
    #[inline]
    pub fn list(&self, set: u32, parts: usize) -> &[u64] {
        let at = self.ranks.of(set) * self.parts;
        &self.masks[self.starts[at] as usize..self.starts[at + parts] as usize]
    }
}

/// Queens on the rows of a quarter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    /// Their diagonals that the rows beyond reach.
    reach: u64,
    /// Their diagonals that cross the line before the quarter's first row.
    cross: u64,
    /// The columns of its first queens.
    pub columns: [u8; 3],
    /// The row of the middle column's queen, if there is one and the board is odd.
    middle: u8,
}

/// All placements of the rows from `from` to `to`, for each set of columns.
pub(super) struct Quarter {
    from: u32,
    to: u32,
    ranks: Ranks,
    starts: Vec<u32>,
    placements: Vec<Placement>,
    /// Of the bits of the masks beyond, those that cross the line before `from`.
    keep: u64,
}

impl Quarter {
    pub fn new(geometry: &Geometry, from: u32, to: u32) -> Quarter {
        let size = to - from;
        let keep = geometry.diagonals_from(to, from);
        let mut quarter = Quarter {
            from,
            to,
            ranks: Ranks::new(size),
            starts: vec![0],
            placements: Vec::new(),
            keep,
        };
        let mut set = (1u32 << size) - 1;
        for _ in 0..binomial(geometry.n, size) {
            let empty = Placement {
                reach: 0,
                cross: 0,
                columns: [0; 3],
                middle: u8::MAX,
            };
            quarter.place(geometry, from, [set, 0, 0], empty);
            quarter.starts.push(quarter.placements.len() as u32);
            set = next(set);
        }
        quarter
    }

    /// Fills the rows from `row` on; the columns left and the two diagonal shadows on this row.
    fn place(
        &mut self,
        geometry: &Geometry,
        row: u32,
        [columns, rising, falling]: [u32; 3],
        so_far: Placement,
    ) {
        if row == self.to {
            self.placements.push(so_far);
            return;
        }
        let mut free = columns & !(rising | falling);
        while free != 0 {
            let queen = free & free.wrapping_neg();
            free ^= queen;
            let column = queen.trailing_zeros();
            let mut longer = so_far;
            longer.reach |= geometry.diagonals(column, row, self.to);
            longer.cross |= geometry.diagonals(column, row, self.from);
            if let Some(place) = longer.columns.get_mut((row - self.from) as usize) {
                *place = column as u8;
            }
            if geometry.odd && column == geometry.n / 2 {
                longer.middle = row as u8;
            }
            let shadows = [
                columns ^ queen,
                (rising | queen) >> 1,
                (falling | queen) << 1,
            ];
            self.place(geometry, row + 1, shadows, longer);
        }
    }

    fn of(&self, set: u32) -> &[Placement] {
        let at = self.ranks.of(set);
        &self.placements[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// Calls `then` with every choice of this quarter's columns among a set.
    pub fn each(&self, columns: u32, mut then: impl FnMut(u32)) {
        let mut column = [0u32; 32];
        let (mut rest, mut count) = (columns, 0);
        while rest != 0 {
            column[count] = rest & rest.wrapping_neg();
            rest &= rest - 1;
            count += 1;
        }
        let mut positions = (1u32 << (self.to - self.from)) - 1;
        while positions >> count == 0 {
            let (mut set, mut rest) = (0, positions);
            while rest != 0 {
                set |= column[rest.trailing_zeros() as usize];
                rest &= rest - 1;
            }
            then(set);
            positions = next(positions);
        }
    }

    /// Joins the placements on a set of columns to a list of the rows beyond: appends the mask of
    /// each pair that is allowed to the list `place` says.
    #[inline]
    pub fn join_one(
        &self,
        set: u32,
        beyond: &[u64],
        making: &mut Making,
        place: impl Fn(&Placement) -> u32,
        out: &mut [Vec<u64>],
    ) {
        let Making {
            rule,
            operations,
            targets,
            ..
        } = making;
        // The rule's bits are those that cross the line before row 0: in a quarter further out,
        // other diagonals may have their numbers, and the rule is left to the quarter that follows.
        let forbid = if self.from == 0 { rule.forbid } else { 0 };
        targets.clear();
        for placement in self.of(set) {
            if placement.cross & forbid != 0 || u32::from(placement.middle) < rule.late {
                continue;
            }
            targets.push(Target {
                avoid: placement.reach | forbid & self.keep,
                with: placement.cross,
                to: place(placement),
            });
        }
        if !targets.is_empty() {
            (operations.spread)(beyond, self.keep, targets, out);
        }
    }

    /// Joins all placements on some of the columns to the lists that `beyond` has for the others.
    pub fn join<'a>(
        &self,
        columns: u32,
        beyond: impl Fn(u32) -> &'a [u64],
        making: &mut Making,
        place: impl Fn(&Placement) -> u32,
        out: &mut [Vec<u64>],
    ) {
        let mut ahead: [(u32, &[u64]); AHEAD] = [(0, &[]); AHEAD];
        let mut i = 0;
        self.each(columns, |set| {
            let list = beyond(columns ^ set);
            if making.far {
                (making.operations.fetch)(list);
            }
            let (set, list) = std::mem::replace(&mut ahead[i % AHEAD], (set, list));
            if !list.is_empty() {
                self.join_one(set, list, making, &place, out);
            }
            i += 1;
        });
        for j in i..i + AHEAD {
            let (set, list) = ahead[j % AHEAD];
            if !list.is_empty() {
                self.join_one(set, list, making, &place, out);
            }
        }
    }
}
