//! Sets of columns, numbered.
//!
//! The sets of `size` columns in increasing order of their bit patterns are numbered by the
//! combinatorial number system: the rank of {c0 < c1 < ...} is C(c0,1) + C(c1,2) + ... . So a
//! set is found from its number and a number from its set, and no list of sets is ever stored.

/// C(n, k), for n up to 62.
pub const fn binomial(n: u32, k: u32) -> u64 {
    if k > n {
        return 0;
    }
    let (mut value, mut i) = (1u64, 0);
    while i < k {
        value = value * (n - i) as u64 / (i + 1) as u64;
        i += 1;
    }
    value
}

/// The set of `size` columns with this rank.
pub fn unrank(mut rank: u64, size: u32) -> u32 {
    let mut set = 0;
    for k in (1..=size).rev() {
        let mut column = k - 1;
        while binomial(column + 1, k) <= rank {
            column += 1;
        }
        rank -= binomial(column, k);
        set |= 1 << column;
    }
    set
}

/// The next larger set of the same size.
pub fn next(set: u32) -> u32 {
    let low = set & set.wrapping_neg();
    let carried = set + low;
    carried | (((set ^ carried) >> 2) / low.max(1))
}

/// The set seen in a mirror: column c of n goes to n-1-c.
pub fn mirror(set: u32, n: u32) -> u32 {
    set.reverse_bits() >> (32 - n)
}

const DIGIT: u32 = 10;

/// Ranks of sets of one size, by three look-ups of ten columns each.
pub struct Ranks {
    digits: [Vec<u32>; 3],
}

impl Ranks {
    /// Tables for sets of `size` columns, of at most 30.
    pub fn new(size: u32) -> Self {
        let choose = |column| (0..=size).map(|k| binomial(column, k)).collect();
        let binomials: Vec<Vec<u64>> = (0..3 * DIGIT).map(choose).collect();
        let digit = |place: u32| {
            let mut table = vec![0; (size as usize + 1) << DIGIT];
            for below in 0..=size {
                for set in 0..1u32 << DIGIT {
                    let (mut sum, mut k, mut rest) = (0u64, below, set);
                    while rest != 0 {
                        k += 1;
                        let column = rest.trailing_zeros() + place * DIGIT;
                        sum += binomials[column as usize].get(k as usize).unwrap_or(&0);
                        rest &= rest - 1;
                    }
                    // Combinations that no set of this size has are never looked up.
                    if k <= size {
                        table[(below << DIGIT | set) as usize] = sum as u32;
                    }
                }
            }
            table
        };
        Ranks {
            digits: [digit(0), digit(1), digit(2)],
        }
    }

    /// The rank of a set of that size.
    #[inline]
    pub fn of(&self, set: u32) -> usize {
        const MASK: u32 = (1 << DIGIT) - 1;
        let (low, middle) = (set & MASK, set >> DIGIT & MASK);
        let below = low.count_ones();
        let both = below + middle.count_ones();
        (self.digits[0][low as usize]
            + self.digits[1][(below << DIGIT | middle) as usize]
            + self.digits[2][(both << DIGIT | set >> (2 * DIGIT)) as usize]) as usize
    }
}
