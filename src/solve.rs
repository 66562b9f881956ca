//! Solutions one by one, in lexicographic order of the column list.
//!
//! [`Solutions`] is the row-by-row search with three bit masks, as an iterator: it keeps one
//! entry for each row it has reached, goes on from there when the next solution is asked for,
//! and so costs nothing once it is dropped. Only the next row is tested for a free square: to test
//! later ones as well saves a third of the placements before the first solution for n = 32 (87
//! million, the most for any board), and no time.
//!
//! *Fundamental solutions.* Of each class under the symmetries of the board the one whose column
//! list is smallest stands for it, so whether a board does is seen from the board itself, without
//! a memory of others. There is a queen in each of the four border lines, and a symmetry takes
//! any of them to the first row, from either end; so in the smallest board the queen of the first
//! row stands at least as near to the left corner, at column c, as any of the four to the nearer
//! end of its line. Border squares nearer than c to a corner are not tried.

use std::iter::FusedIterator;

use crate::board::{Placement, Size};
use crate::conditions::Conditions;
use crate::fundamental::is_representative;

/// The solutions on a board, in lexicographic order of the column list.
///
/// ```
/// use queens::{Size, Solutions};
///
/// let first = Solutions::new(Size::new(8)?).next().expect("there are 92");
/// assert_eq!(first.columns(), [0, 4, 7, 5, 2, 6, 1, 3]);
/// assert_eq!(Solutions::new(Size::new(3)?).next(), None);
/// # Ok::<(), queens::SizeError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Solutions {
    size: Size,
    allowed: [u32; 32],
    /// Only the smallest board of each class.
    fundamental: bool,
    /// The rows up to the one that is searched.
    rows: Vec<Row>,
    /// The columns of the queens in those rows.
    columns: Vec<u8>,
    /// Placements left to try before the next [`Step::Searching`].
    until_pause: u32,
}

/// A row that the search has reached.
#[derive(Debug, Clone, Copy)]
struct Row {
    /// The squares of this row that the queens above attack, a mask for each direction.
    columns: u32,
    rising: u32,
    falling: u32,
    /// The free squares of this row where a queen has not been tried yet.
    untried: u32,
}

/// What a bounded piece of the search came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// The next solution.
    Found(Placement),
    /// None yet: the search goes on with the next step.
    Searching,
    /// There are no more.
    End,
}

/// The placements that are tried between two pauses: below a millisecond's work.
const PLACEMENTS_A_PAUSE: u32 = 1 << 16;

impl Solutions {
    /// All solutions on boards of this size.
    pub fn new(size: Size) -> Solutions {
        Solutions::with_conditions(&Conditions::none(size))
    }

    /// The solutions that meet these conditions.
    pub fn with_conditions(conditions: &Conditions) -> Solutions {
        let size = conditions.size();
        let mut allowed = [0; 32];
        allowed[..conditions.allowed().len()].copy_from_slice(conditions.allowed());
        let first = Row {
            columns: 0,
            rising: 0,
            falling: 0,
            untried: allowed[0],
        };
        let hopeless = conditions.are_hopeless();
        Solutions {
            size,
            allowed,
            fundamental: false,
            rows: if hopeless { Vec::new() } else { vec![first] },
            columns: vec![0; size.get() as usize],
            until_pause: PLACEMENTS_A_PAUSE,
        }
    }

    /// One solution of each class under the eight symmetries of the board, the smallest.
    ///
    /// [`class_size`](crate::fundamental::class_size) tells how many a class has.
    ///
    /// ```
    /// use queens::{Size, Solutions, fundamental::class_size};
    ///
    /// let classes: Vec<_> = Solutions::fundamental(Size::new(8)?).collect();
    /// assert_eq!(classes.len(), 12);
    /// assert_eq!(classes.iter().map(class_size).sum::<u32>(), 92);
    /// # Ok::<(), queens::SizeError>(())
    /// ```
    pub fn fundamental(size: Size) -> Solutions {
        let mut solutions = Solutions::new(size);
        solutions.fundamental = true;
        // In the middle column, the queens of all four border lines would have to be there.
        let left_half = size.row_mask() >> size.get().div_ceil(2);
        solutions.rows[0].untried = left_half.max(1);
        solutions
    }

    /// Searches for the next solution, but no longer than about a millisecond, so that the
    /// caller can look at other things meanwhile.
    ///
    /// ```
    /// use queens::{Size, Solutions, solve::Step};
    ///
    /// let mut solutions = Solutions::new(Size::new(30)?);
    /// let first = loop {
    ///     match solutions.step() {
    ///         Step::Found(board) => break Some(board),
    ///         Step::Searching => (), // a place to look at a clock or a switch
    ///         Step::End => break None,
    ///     }
    /// };
    /// assert!(first.is_some_and(|board| board.is_solution()));
    /// # Ok::<(), queens::SizeError>(())
    /// ```
    pub fn step(&mut self) -> Step {
        while let Some(here) = self.rows.last_mut() {
            if self.until_pause == 0 {
                self.until_pause = PLACEMENTS_A_PAUSE;
                return Step::Searching;
            }
            if here.untried == 0 {
                self.rows.pop();
                continue;
            }
            self.until_pause -= 1;
            let queen = here.untried & here.untried.wrapping_neg();
            here.untried ^= queen;
            let mut next = Row {
                columns: here.columns | queen,
                rising: (here.rising | queen) >> 1,
                falling: (here.falling | queen) << 1,
                untried: 0,
            };
            let row = self.rows.len() - 1;
            self.columns[row] = queen.trailing_zeros() as u8;
            if row == 0 && self.fundamental {
                self.keep_from_corners(queen);
            }
            if row + 1 < self.columns.len() {
                let attacked = next.columns | next.rising | next.falling;
                next.untried = self.allowed[row + 1] & !attacked;
                if next.untried != 0 {
                    self.rows.push(next);
                }
                continue;
            }
            let board = Placement::new(self.columns.clone()).expect("a queen in every row");
            if !self.fundamental || is_representative(&board) {
                return Step::Found(board);
            }
        }
        Step::End
    }

    /// Allows only squares where the board can be the smallest of its class, given the queen in
    /// the first row: no border square nearer to a corner than that queen.
    fn keep_from_corners(&mut self, queen: u32) {
        let board = self.size.row_mask();
        let n = self.size.get() as usize;
        let column = queen.trailing_zeros() as usize;
        let middle = board & !(queen - 1) & board >> column;
        let border_columns = 1 | 1 << (n - 1);
        for row in 1..n {
            self.allowed[row] = if middle >> row & 1 == 1 {
                board
            } else {
                board & !border_columns
            };
        }
        if n > 1 {
            self.allowed[n - 1] &= middle;
        }
    }
}

impl Iterator for Solutions {
    type Item = Placement;

    fn next(&mut self) -> Option<Placement> {
        loop {
            match self.step() {
                Step::Found(board) => return Some(board),
                Step::Searching => {}
                Step::End => return None,
            }
        }
    }
}

impl FusedIterator for Solutions {}
