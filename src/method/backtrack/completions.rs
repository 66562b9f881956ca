//! Counts the ways to complete a partial placement: the search itself, with pools for recursion.
//!
//! Partial placements with the same number of rows left wait in a *pool*. A full pool is drained:
//! each of its placements puts its children into the next pool, which is drained in turn when it
//! is full. So every step is a plain loop over some hundred placements with no branch that depends
//! on one of them (a search that branches at every queen spends most of its time on mispredicted
//! branches), and the compiler turns the loops over masks into vector code on any target. The
//! memory is one pool a row, and the order is still depth first.
//!
//! With few rows left the search looks ahead at all of them (see [`Attacked::candidates`]), and
//! the last three rows are closed without search.
//!
//! The search is compiled twice: for boards on which every row has the same squares, and for
//! those that allow fewer in some (see [`Rows`]).

use super::Attacked;
use crate::method::count::Count;
use crate::method::{Cancel, TaskError};

/// Placements in a pool: 256, so that a `u8` is an index into it, and two pools fit the
/// first-level cache.
const POOL: usize = 256;

/// The switch is looked at before each pool is drained that has at least this many rows left.
/// What lies between two looks takes milliseconds.
const CHECKED_ROWS: usize = 10;

/// Placements with the same number of rows left, one array for each mask.
///
/// A placement is stored as its parent and the queen still to be added: queens are placed when
/// the pool is drained, all in one loop.
#[derive(Clone)]
struct Pool {
    columns: [u32; POOL],
    rising: [u32; POOL],
    falling: [u32; POOL],
    queen: [u32; POOL],
    len: usize,
}

impl Pool {
    const EMPTY: Pool = Pool {
        columns: [0; POOL],
        rising: [0; POOL],
        falling: [0; POOL],
        queen: [0; POOL],
        len: 0,
    };

    #[inline(always)]
    fn get(&self, place: usize) -> Attacked {
        Attacked {
            columns: self.columns[place],
            rising: self.rising[place],
            falling: self.falling[place],
        }
    }

    #[inline(always)]
    fn set(&mut self, place: usize, attacked: Attacked) {
        self.columns[place] = attacked.columns;
        self.rising[place] = attacked.rising;
        self.falling[place] = attacked.falling;
    }
}

/// The squares where queens may stand.
pub trait Rows: Copy {
    /// One bit for each column.
    fn board(self) -> u32;

    /// The squares that must stay empty in the next rows, where `left` rows are left.
    fn blocked<const ROWS: usize>(self, left: usize) -> [u32; ROWS];
}

/// All squares of rows with this mask.
#[derive(Clone, Copy)]
pub struct Whole(pub u32);

impl Rows for Whole {
    #[inline(always)]
    fn board(self) -> u32 {
        self.0
    }

    #[inline(always)]
    fn blocked<const ROWS: usize>(self, _left: usize) -> [u32; ROWS] {
        [0; ROWS]
    }
}

/// The squares of these masks, one for each row of the board.
impl Rows for &[u32] {
    #[inline(always)]
    fn board(self) -> u32 {
        u32::MAX >> (32 - self.len())
    }

    #[inline(always)]
    fn blocked<const ROWS: usize>(self, left: usize) -> [u32; ROWS] {
        let next = self.len() - left;
        std::array::from_fn(|ahead| !self[next + ahead])
    }
}

/// Counts the completions of the placement `above` with one more queen on its free square
/// `queen`, `weight` times each, where `left` of the `rows` are open after it.
pub fn count(
    rows: impl Rows,
    left: usize,
    above: Attacked,
    queen: u32,
    weight: u64,
    cancel: &Cancel,
) -> Result<Count, TaskError> {
    let mut pools = vec![Pool::EMPTY; left + 1];
    pools[left].set(0, above);
    pools[left].queen[0] = queen;
    pools[left].len = 1;
    let mut search = Search {
        rows,
        weight,
        cancel,
        count: Count::ZERO,
    };
    for open in (0..=left).rev() {
        // What the pools above have left here, too little to fill it.
        search.drain(&mut pools[..=open])?;
    }
    Ok(search.count)
}

struct Search<'a, R> {
    rows: R,
    weight: u64,
    cancel: &'a Cancel,
    count: Count,
}

impl<R: Rows> Search<'_, R> {
    /// Empties the last of the pools, the one with `pools.len() - 1` rows left. What becomes of
    /// its placements is counted or waits in the pools below.
    fn drain(&mut self, pools: &mut [Pool]) -> Result<(), TaskError> {
        let left = pools.len() - 1;
        if left >= CHECKED_ROWS {
            self.cancel.check()?;
        }
        match left {
            0 => {
                let solutions = std::mem::take(&mut pools[0].len);
                self.count.add(self.weight, solutions as u64)
            }
            3 => self.close(&mut pools[3]),
            // Looking ahead over more than eight rows gains nothing: they are rarely full.
            4 => self.expand::<4>(pools),
            5 => self.expand::<5>(pools),
            6 => self.expand::<6>(pools),
            7 => self.expand::<7>(pools),
            8 => self.expand::<8>(pools),
            _ => self.expand::<1>(pools),
        }
    }

    /// Counts the completions of a pool with three rows left.
    #[inline(never)]
    fn close(&mut self, pool: &mut Pool) -> Result<(), TaskError> {
        let len = std::mem::take(&mut pool.len).min(POOL);
        let (board, blocked) = (self.rows.board(), self.rows.blocked(3));
        let mut ways = 0u32; // at most 6 for each of the 256
        for place in 0..len {
            let attacked = pool.get(place).with(pool.queen[place]);
            ways += attacked.last_three_rows(board, blocked);
        }
        self.count.add(self.weight, u64::from(ways))
    }

    /// Moves the children of the last pool's placements to the pool below it, looking ahead over
    /// `ROWS` rows: all that are left, or 1 for no look ahead.
    #[inline(never)]
    fn expand<const ROWS: usize>(&mut self, pools: &mut [Pool]) -> Result<(), TaskError> {
        let (parents, below) = pools.split_last_mut().expect("this pool is one of them");
        let next = below.len() - 1;
        let len = std::mem::take(&mut parents.len).min(POOL);

        let (board, blocked) = (self.rows.board(), self.rows.blocked::<ROWS>(next + 1));
        let mut candidates = [0; POOL];
        for (place, candidates) in candidates[..len].iter_mut().enumerate() {
            let attacked = parents.get(place).with(parents.queen[place]);
            parents.set(place, attacked);
            *candidates = attacked.candidates(board, blocked);
        }

        // The first child of every placement that has one, then the second of those that have
        // two, and so on: a placement stays in the list while it has candidates, so the only
        // branches are on the lengths of lists. (`% POOL` changes no index; it spares the bounds
        // checks, worth 3 %.)
        let mut list = [0u8; POOL];
        let mut listed = 0;
        for (place, &candidates) in candidates[..len].iter().enumerate() {
            list[listed % POOL] = place as u8;
            listed += usize::from(candidates != 0);
        }
        let mut put = below[next].len;
        while listed > 0 {
            let mut kept = 0;
            for at in 0..listed {
                let place = usize::from(list[at % POOL]);
                let rest = candidates[place] & (candidates[place] - 1);
                if put >= POOL {
                    below[next].len = POOL;
                    self.drain(below)?;
                    put = 0;
                }
                let children = &mut below[next];
                children.set(put, parents.get(place));
                children.queen[put] = candidates[place] ^ rest;
                put += 1;
                candidates[place] = rest;
                list[kept % POOL] = place as u8;
                kept += usize::from(rest != 0);
            }
            listed = kept;
        }
        below[next].len = put;
        Ok(())
    }
}

impl Attacked {
    /// The squares of the next row where a queen may lead to a solution, judging by the next
    /// `ROWS` rows, which must be the board's last if they are more than one.
    ///
    /// Of the free squares those are left out
    /// - where a queen would take the only free square of another row (and all of them, if some
    ///   row has no free square);
    /// - that are not in a column whose only free square left is in the next row: such a column
    ///   must get its queen there (and if there are two such columns, all of them).
    #[inline(always)]
    fn candidates<const ROWS: usize>(self, board: u32, blocked: [u32; ROWS]) -> u32 {
        let open = board & !self.columns;
        let mut candidates = self.free(board) & !blocked[0];
        let mut only_here = open;
        for ahead in 1..ROWS as u32 {
            let taken = self.diagonals(ahead) | blocked[ahead as usize];
            only_here &= taken;
            let free = open & !taken;
            let attackers = free | free << ahead | free >> ahead;
            if free & free.wrapping_sub(1) == 0 {
                candidates &= !attackers;
            }
            if free == 0 {
                candidates = 0;
            }
        }
        if ROWS > 1 && only_here != 0 {
            candidates &= only_here;
            if only_here & only_here.wrapping_sub(1) != 0 {
                candidates = 0;
            }
        }
        candidates
    }

    /// The number of ways to fill the last three rows.
    #[inline(always)]
    fn last_three_rows(self, board: u32, blocked: [u32; 3]) -> u32 {
        let open = board & !self.columns;
        let candidates = self.free(board) & !blocked[0];
        // The three columns that are left.
        let a = open & open.wrapping_neg();
        let c = (open ^ a) & (open ^ a).wrapping_sub(1);
        let b = open ^ a ^ c;
        let mut ways = 0;
        for (first, x, y) in [(a, b, c), (b, a, c), (c, a, b)] {
            let placed = self.with(first);
            let second = !(placed.diagonals(0) | blocked[1]);
            let third = !(placed.diagonals(1) | blocked[2]);
            // x and y come in neighbouring rows, in either order.
            let fits = candidates & first != 0 && (x << 1 | x >> 1) & y == 0;
            let orders = u32::from(second & x != 0 && third & y != 0)
                + u32::from(second & y != 0 && third & x != 0);
            ways += if fits { orders } else { 0 };
        }
        ways
    }
}
