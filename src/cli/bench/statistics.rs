//! What a handful of run times says, by order statistics alone: single disturbed runs move
//! neither a median nor a quartile far, and nothing is assumed of how times are distributed.

/// The fewest runs that tell a spread.
pub const FEWEST_RUNS: usize = 5;

/// The median.
pub fn median(runs: &[f64]) -> f64 {
    from_middle(runs, 0.0)
}

/// Between which times the true median lies, with 95 % confidence.
///
/// A run falls below the true median with chance 1/2, so among k runs the number that do is k/2
/// with a standard deviation of √k/2: the true median lies between the runs that stand √k
/// places to either side of the middle. This interval shrinks as runs are added, on a busy
/// machine too. `None` below [`FEWEST_RUNS`].
pub fn confidence(runs: &[f64]) -> Option<(f64, f64)> {
    let places = (runs.len() as f64).sqrt();
    (runs.len() >= FEWEST_RUNS).then(|| (from_middle(runs, -places), from_middle(runs, places)))
}

/// Between which times four of five runs lie.
pub fn usual(runs: &[f64]) -> (f64, f64) {
    let places = 0.4 * (runs.len() as f64 - 1.0);
    (from_middle(runs, -places), from_middle(runs, places))
}

/// The runs that lie more than three times the distance of the quartiles beyond one of them
/// (Tukey's outer fences).
pub fn outliers(runs: &[f64]) -> Vec<f64> {
    let quarter = (runs.len() as f64 - 1.0) / 4.0;
    let (lower, upper) = (from_middle(runs, -quarter), from_middle(runs, quarter));
    let reach = 3.0 * (upper - lower);
    let is_far = |run: &&f64| **run < lower - reach || **run > upper + reach;
    runs.iter().filter(is_far).copied().collect()
}

/// The value that stands so many places above the middle of the sorted values; between two of
/// them in proportion.
fn from_middle(values: &[f64], places: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = (sorted.len() - 1) as f64;
    let place = (last / 2.0 + places).clamp(0.0, last);
    let (below, above) = (
        sorted[place.floor() as usize],
        sorted[place.ceil() as usize],
    );
    below + (above - below) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_from_the_middle() {
        let values = [4.0, 1.0, 3.0, 2.0];
        let places = [-9.0, -1.0, 0.0, 0.75, 9.0].map(|places| from_middle(&values, places));
        assert_eq!(places, [1.0, 1.5, 2.5, 3.25, 4.0]);
        assert_eq!(from_middle(&[7.0], 1.0), 7.0);
    }

    #[test]
    fn the_median_is_known_better_by_more_runs() {
        assert_eq!(confidence(&[1.0; 4]), None);
        assert_eq!(confidence(&[5.0, 1.0, 2.0, 4.0, 3.0]), Some((1.0, 5.0)));
        let many: Vec<f64> = (1..=49).map(f64::from).collect();
        assert_eq!(confidence(&many), Some((18.0, 32.0)));
    }

    #[test]
    fn four_of_five_runs_are_usual() {
        let runs: Vec<f64> = (0..=50).map(f64::from).collect();
        assert_eq!(usual(&runs), (5.0, 45.0));
    }

    #[test]
    fn outliers_are_far_from_the_middle_half() {
        // Quartiles 2 and 4: everything up to 10 is near.
        assert!(outliers(&[1.0, 2.0, 3.0, 4.0, 10.0]).is_empty());
        assert_eq!(outliers(&[1.0, 2.0, 3.0, 4.0, 10.1]), [10.1]);
        assert_eq!(outliers(&[2.0, 3.0, 4.0, -4.1, 9.0]), [-4.1]);
        assert!(outliers(&[7.0]).is_empty());
    }
}
