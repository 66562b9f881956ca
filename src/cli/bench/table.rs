//! The table of a contest for people: the columns that have something to say, a line a record.

use super::record::{Figures, Record};
use super::statistics;

/// The columns of a table.
pub struct Table(Vec<Column>);

struct Column {
    head: &'static str,
    /// Negative: to the left.
    width: isize,
    cell: fn(&Figures) -> String,
}

/// What a table is to show besides solutions and times.
pub struct Shown {
    /// The width of the longest method's name.
    pub method_width: usize,
    pub kernels: bool,
    pub threads: bool,
    pub effort: bool,
    /// The digits of the largest number of solutions that is expected.
    pub digits: usize,
}

impl Table {
    /// The columns for what is shown.
    pub fn new(shown: &Shown) -> Table {
        let column = |head, width, cell| Column { head, width, cell };
        let method = -(shown.method_width as isize);
        let mut columns: Vec<Column> = vec![
            column("n", 2, |row| row.n.to_string()),
            column("method", method, |row| row.method.clone()),
        ];
        if shown.kernels {
            columns.push(column("kernel", -8, |row| {
                row.kernel.unwrap_or("-").to_owned()
            }));
        }
        if shown.threads {
            columns.push(column("threads", 7, |row| row.threads.to_string()));
        }
        let digits = shown.digits as isize;
        columns.push(column("solutions", digits.max(9), |row| {
            row.solutions.to_string()
        }));
        if shown.effort {
            columns.push(column("tests", digits + 3, |row| count(row.tests)));
            columns.push(column("nodes", digits + 3, |row| count(row.nodes)));
        }
        columns.push(column("median", 8, |row| {
            let mark = if row.steady { "" } else { "~" };
            format!("{mark}{}", time(row.median_seconds))
        }));
        columns.push(column("smallest", 8, |row| time(row.smallest_seconds)));
        columns.push(column("largest", 8, |row| time(row.largest_seconds)));
        columns.push(column("outliers", 8, |row| {
            format!("{}/{}", row.outliers, row.runs)
        }));
        columns.push(column("solutions/s", 11, |row| {
            quantity(row.solutions_per_second)
        }));
        columns.push(column("core ns/sol.", 12, |row| {
            row.core_nanoseconds_per_solution
                .map_or_else(dash, three_digits)
        }));
        if shown.threads {
            columns.push(column("speed-up", 8, |row| {
                row.speedup
                    .map_or_else(dash, |speedup| format!("{speedup:.2}"))
            }));
        }
        columns.push(column("ratio", 7, |row| format!("{:.2}", row.ratio)));
        Table(columns)
    }

    /// The columns' heads.
    pub fn header(&self) -> String {
        self.line(|column| column.head.to_owned())
    }

    /// The line of a record.
    pub fn row(&self, record: &Record) -> String {
        self.line(|column| (column.cell)(&record.figures))
    }

    fn line(&self, cell: impl Fn(&Column) -> String) -> String {
        let cell = |column: &Column| {
            let width = column.width.unsigned_abs();
            match column.width {
                ..0 => format!("{:<width$}", cell(column)),
                _ => format!("{:>width$}", cell(column)),
            }
        };
        let cells: Vec<String> = self.0.iter().map(cell).collect();
        cells.join("  ").trim_end().to_owned()
    }
}

/// What there is to say about the outliers among all runs.
pub fn outliers(records: &[Record]) -> Option<String> {
    let (mut outliers, mut runs) = (0, 0);
    let mut farthest = (0.0, String::new());
    for record in records {
        let figures = &record.figures;
        runs += figures.runs;
        for run in statistics::outliers(&record.run_seconds) {
            outliers += 1;
            let ratio: f64 = run / figures.median_seconds;
            if ratio.ln().abs() > farthest.0 {
                let (n, name, threads) = (figures.n, figures.name(), threads(figures.threads));
                let what = format!("{ratio:.2} times the median (n = {n}, {name}, {threads})");
                farthest = (ratio.ln().abs(), what);
            }
        }
    }
    let are = match outliers {
        0 => return None,
        1 => "is an outlier",
        _ => "are outliers, the farthest",
    };
    Some(format!(
        "{outliers} of the {runs} runs {are} {}: something else may have run on this machine",
        farthest.1
    ))
}

/// A number of threads in words.
pub fn threads(threads: usize) -> String {
    match threads {
        1 => "1 thread".to_owned(),
        _ => format!("{threads} threads"),
    }
}

fn dash() -> String {
    "-".to_owned()
}

fn count(count: Option<u64>) -> String {
    count.map_or_else(dash, |count| count.to_string())
}

/// A time with three digits and the unit that suits it.
pub fn time(seconds: f64) -> String {
    let (number, unit) = match (seconds * 1e9) as u64 {
        0..1_000 => (seconds * 1e9, "ns"),
        1_000..1_000_000 => (seconds * 1e6, "us"),
        1_000_000..1_000_000_000 => (seconds * 1e3, "ms"),
        _ => (seconds, "s"),
    };
    format!("{} {unit}", three_digits(number))
}

/// A number with three digits and the prefix that suits it.
fn quantity(number: f64) -> String {
    let (number, prefix) = match number as u64 {
        0..1_000 => (number, ""),
        1_000..1_000_000 => (number / 1e3, " k"),
        1_000_000..1_000_000_000 => (number / 1e6, " M"),
        _ => (number / 1e9, " G"),
    };
    format!("{}{prefix}", three_digits(number))
}

fn three_digits(number: f64) -> String {
    let digits = match number {
        ..10.0 => 2,
        10.0..100.0 => 1,
        _ => 0,
    };
    format!("{number:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits_and_a_unit() {
        let times = [4.2e-7, 1.2345e-5, 0.123_45, 7.0, 61.2, 345.6].map(time);
        assert_eq!(
            times,
            ["420 ns", "12.3 us", "123 ms", "7.00 s", "61.2 s", "346 s"]
        );
    }

    #[test]
    fn quantities_have_three_digits_and_a_prefix() {
        let quantities = [0.0, 999.0, 1234.0, 56_789_000.0, 4.2e9].map(quantity);
        assert_eq!(quantities, ["0.00", "999", "1.23 k", "56.8 M", "4.20 G"]);
    }
}
