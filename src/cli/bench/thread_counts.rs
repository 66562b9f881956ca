//! `--threads` of `queens bench`: several numbers of threads.

use std::str::FromStr;

use queens::run::pool::Pool;

/// Numbers of threads, each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadCounts(Vec<usize>);

impl ThreadCounts {
    /// They, in the order given.
    pub fn get(&self) -> &[usize] {
        &self.0
    }

    /// 1, 2, 4 and so on below the number of cores, and that number.
    fn scale(cores: usize) -> ThreadCounts {
        let doubled = std::iter::successors(Some(1), |&threads| Some(threads * 2));
        let mut counts: Vec<usize> = doubled.take_while(|&threads| threads < cores).collect();
        counts.push(cores.max(1));
        ThreadCounts(counts)
    }
}

impl FromStr for ThreadCounts {
    type Err = String;

    fn from_str(text: &str) -> Result<ThreadCounts, String> {
        if text == "scale" {
            return Ok(Self::scale(num_cpus::get().min(Pool::MOST)));
        }
        let mut counts = Vec::new();
        for count in text.split(',') {
            let count = count
                .parse()
                .ok()
                .filter(|count| (1..=Pool::MOST).contains(count))
                .ok_or_else(|| {
                    format!(
                        "it must be scale, or whole numbers from 1 to {} separated by commas",
                        Pool::MOST
                    )
                })?;
            if !counts.contains(&count) {
                counts.push(count);
            }
        }
        Ok(ThreadCounts(counts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_doubles_up_to_all_cores() {
        for (cores, scale) in [
            (1, vec![1]),
            (2, vec![1, 2]),
            (6, vec![1, 2, 4, 6]),
            (8, vec![1, 2, 4, 8]),
        ] {
            assert_eq!(ThreadCounts::scale(cores).0, scale);
        }
    }

    #[test]
    fn counts_are_kept_in_order_and_once() {
        let counts = |text: &str| text.parse().map(|ThreadCounts(counts)| counts);
        assert_eq!(counts("2,1,2"), Ok(vec![2, 1]));
        for wrong in ["0", "", "1,", "-1", "two", "1 2", "4097", "Scale"] {
            assert!(
                counts(wrong).unwrap_err().contains("from 1 to 4096"),
                "{wrong}"
            );
        }
    }
}
