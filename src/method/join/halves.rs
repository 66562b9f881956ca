//! Half boards as masks, made by joining quarter boards.
//!
//! A half board has k rows, numbered from 0 next to the line outwards, and k queens on a given set
//! of columns that do not attack each other. All of it that the other half can feel are the
//! diagonals that cross the line, n - 1 of each direction: a queen in column c of row i covers the
//! rising one c + i and the falling one c - i - 1, if they cross. A half board's *mask* has a bit for
//! each of them, the rising ones from bit 0, the falling ones from bit 32. Seen from the other half
//! the two groups trade places. (Odd boards have the middle row for a line, a row away from both
//! halves: a bit is the square of it that a diagonal passes through, c + i + 1 or c - i - 1, and the
//! two squares at its ends, from which no diagonal goes on, have none.)
//!
//! The masks on a set S of columns are made by cutting the half again:
//!
//! ```text
//! P(S) = union over the sets I within S of as many columns as there are inner rows,
//!        of { a | b : a on I in the inner rows, b on S \ I in the outer rows, a & b == 0 },
//! ```
//!
//! where "&" looks at the diagonals that cross from inner to outer rows, "|" at those that cross
//! the line. The outer masks of all sets are listed beforehand; each a costs one pass over a list.
//! For n = 22 and 23 the inner rows are cut once more, and the same is done twice; on larger boards
//! they are filled row by row.

use super::disjoint::{Choice, Operations};
use super::quarters::{Layer, Making, Placement, Quarter};

pub use super::quarters::Scratch;

/// Bits of the rising diagonals; the falling ones are the other 32.
const GROUP: u32 = 32;

/// The shape of a board's halves.
#[derive(Clone, Copy, Debug)]
pub struct Geometry {
    /// The board size.
    pub n: u32,
    /// Rows of a half board.
    pub rows: u32,
    /// The board has a middle row, which is the line.
    pub odd: bool,
}

impl Geometry {
    /// The diagonals of a queen that cross the line before row `at` (not beyond its own row): those
    /// that meet row `at` - 1 inside the board. For 0, that is the first row of the other half or,
    /// of odd boards, the middle row without its ends.
    ///
    /// They are numbered by where they meet the line before row 0, whether inside the board or
    /// not, modulo 32. No two that cross the same line have the same number, since n < 32.
    pub fn diagonals(&self, column: u32, row: u32, at: u32) -> u64 {
        let (n, odd) = (self.n as i32, i32::from(self.odd));
        let (c, i, away) = (column as i32, row as i32, row as i32 - at as i32 + 1);
        let inside = if self.odd && at == 0 { 1..n - 1 } else { 0..n };
        let mut mask = 0;
        if inside.contains(&(c + away)) {
            mask |= 1 << ((c + i + odd) as u32 % GROUP);
        }
        if inside.contains(&(c - away)) {
            mask |= 1 << (GROUP + (c - i - 1) as u32 % GROUP);
        }
        mask
    }

    /// All that queens in the rows from `row` on can have of those.
    pub fn diagonals_from(&self, row: u32, at: u32) -> u64 {
        (row..self.rows)
            .flat_map(|row| (0..self.n).map(move |column| (column, row)))
            .fold(0, |mask, (column, row)| {
                mask | self.diagonals(column, row, at)
            })
    }
}

/// The half boards of one board size.
pub struct Halves {
    geometry: Geometry,
    /// Rows of all quarters but the outer one.
    inner: u32,
    /// For each inner row and column, the diagonals that the outer rows reach...
    reach: Vec<[u64; 32]>,
    /// ...and those that cross the line.
    cross: Vec<[u64; 32]>,
    /// The diagonals across the line that the outer rows can have.
    outer_line: u64,
    outer: Layer,
    /// The first rows...
    first: Option<Quarter>,
    /// ...and those between them and the outer ones, if any.
    between: Option<Quarter>,
}

/// What a half board must not have.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rule {
    /// Diagonals across the line that must be free.
    pub forbid: u64,
    /// Number of rows next to the line in which the middle column must be empty (odd boards).
    pub late: u32,
}

/// A half board with its first rows filled.
#[derive(Clone, Copy, Debug)]
pub struct Prefix {
    /// How many rows are filled.
    pub row: u32,
    /// Columns left.
    pub columns: u32,
    rising: u32,
    falling: u32,
    /// The diagonals of the queens that the outer rows reach.
    reach: u64,
    /// Those that cross the line: the mask so far.
    pub mask: u64,
}

impl Halves {
    /// The largest board whose half boards can be spread; on larger ones the inner placements are
    /// too many to be listed, and half boards are made prefix by prefix.
    pub const SPREAD: u32 = 23;

    /// With a given number of inner rows (1 to k - 1), or a good one.
    pub fn new(n: u32, inner: Option<u32>, operations: &Operations) -> Halves {
        let geometry = Geometry {
            n,
            rows: n / 2,
            odd: n % 2 == 1,
        };
        // As many outer rows as can be listed in little memory; most of it is read for every set.
        let outer = if (16..=24).contains(&n) { 6 } else { 5 };
        let rows = geometry.rows;
        let inner = inner
            .unwrap_or(rows.saturating_sub(outer))
            .clamp(1, rows - 1);
        let table = |at: u32| {
            let of = |row: u32| {
                std::array::from_fn(|c| {
                    if c < n as usize {
                        geometry.diagonals(c as u32, row, at)
                    } else {
                        0
                    }
                })
            };
            (0..inner).map(of).collect()
        };
        // Cutting the inner rows again pays from n = 22 on only.
        let first = if inner > 4 { inner - 2 } else { inner };
        let spread = n <= Self::SPREAD;
        Halves {
            geometry,
            inner,
            reach: table(inner),
            cross: table(0),
            outer_line: geometry.diagonals_from(inner, 0),
            outer: Layer::new(&geometry, rows - inner, operations),
            first: spread.then(|| Quarter::new(&geometry, 0, first)),
            between: (spread && first < inner).then(|| Quarter::new(&geometry, first, inner)),
        }
    }

    /// Rows of a half board.
    pub fn rows(&self) -> u32 {
        self.geometry.rows
    }

    /// Rows of all quarters but the outer one.
    pub fn inner(&self) -> u32 {
        self.inner
    }

    /// The rows by which half boards can be spread.
    pub fn spread_rows(&self) -> u32 {
        let first = if self.between.is_some() {
            self.inner - 2
        } else {
            self.inner
        };
        first.min(3)
    }

    /// A half board without queens, on these columns.
    pub fn start(&self, columns: u32) -> Prefix {
        Prefix {
            row: 0,
            columns,
            rising: 0,
            falling: 0,
            reach: 0,
            mask: 0,
        }
    }

    /// The columns free for the next row of a prefix shorter than the inner rows.
    #[inline]
    pub fn choices(&self, prefix: &Prefix, rule: &Rule) -> u32 {
        let free = prefix.columns & !(prefix.rising | prefix.falling);
        if prefix.row < rule.late {
            free & !(1 << (self.geometry.n / 2))
        } else {
            free
        }
    }

    /// The prefix with a queen more, in this column.
    #[inline]
    pub fn extend(&self, prefix: &Prefix, column: u32) -> Prefix {
        let (queen, row) = (1u32 << column, prefix.row as usize);
        Prefix {
            row: prefix.row + 1,
            columns: prefix.columns ^ queen,
            rising: (prefix.rising | queen) >> 1,
            falling: (prefix.falling | queen) << 1,
            reach: prefix.reach | self.reach[row][column as usize],
            mask: prefix.mask | self.cross[row][column as usize],
        }
    }

    /// The parts of an outer list that keep the middle column empty for long enough.
    fn parts(&self, rule: &Rule) -> usize {
        if self.geometry.odd {
            (self.rows() - rule.late.max(self.inner)) as usize
        } else {
            1
        }
    }

    /// Appends the masks of all half boards with this prefix, of at most the inner rows.
    pub fn complete(
        &self,
        prefix: &Prefix,
        rule: &Rule,
        operations: &Operations,
        out: &mut Vec<u64>,
    ) {
        if prefix.mask & rule.forbid != 0 {
            return;
        }
        if prefix.row == self.inner {
            let keep = self.outer_line;
            let choice = Choice {
                avoid: prefix.reach | rule.forbid & keep,
                keep,
                with: prefix.mask,
            };
            (operations.select)(
                self.outer.list(prefix.columns, self.parts(rule)),
                choice,
                out,
            );
            return;
        }
        let mut free = self.choices(prefix, rule);
        while free != 0 {
            let longer = self.extend(prefix, free.trailing_zeros());
            free &= free - 1;
            self.complete(&longer, rule, operations, out);
        }
    }

    /// Appends the masks of all half boards on these columns, each to the list of its first `depth`
    /// rows (at most 3, and at most the first quarter's): `out[i]`, where i has as its digits the
    /// positions among the columns `digits`, of which `columns` are some, of the first rows' queens.
    ///
    /// # Panics
    ///
    /// On boards larger than [`Halves::SPREAD`].
    #[allow(clippy::too_many_arguments)]
    pub fn spread(
        &self,
        columns: u32,
        digits: u32,
        depth: u32,
        rule: &Rule,
        operations: &Operations,
        scratch: &mut Scratch,
        out: &mut [Vec<u64>],
    ) {
        let first = self
            .first
            .as_ref()
            .expect("a board whose half boards can be spread");
        let mut position = [0u32; 32];
        let (mut rest, base) = (digits, digits.count_ones());
        for i in 0..base {
            position[rest.trailing_zeros() as usize] = i;
            rest &= rest - 1;
        }
        let place = |placement: &Placement| {
            placement.columns[..depth as usize]
                .iter()
                .fold(0, |to, column| to * base + position[*column as usize])
        };
        let outer = |set: u32| self.outer.list(set, self.parts(rule));
        let Scratch { beyond, targets } = scratch;
        let mut making = Making {
            rule,
            operations,
            // The walked halves of an odd board's set, one for each column of the middle row's
            // queen, use the same outer lists again and again.
            far: !self.geometry.odd,
            targets,
        };
        let Some(between) = &self.between else {
            return first.join(columns, outer, &mut making, place, out);
        };
        first.each(columns, |set| {
            beyond.clear();
            let beyond_lists = std::slice::from_mut(beyond);
            between.join(columns ^ set, outer, &mut making, |_| 0, beyond_lists);
            first.join_one(set, beyond, &mut making, place, out);
        });
    }
}
