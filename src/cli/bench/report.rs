//! What `queens bench` says of the records: a table or lines on stdout, the exported files, and
//! remarks on stderr.

use crate::cli::output::Output;
use crate::cli::tell;

use super::compare::Earlier;
use super::machine::Machine;
use super::record::{Export, Form, Record};
use super::table::{self, Table};

/// Where the records go.
pub struct Report {
    pub output: Output,
    /// How they are printed, if not as a table.
    pub form: Option<Form>,
    pub table: Table,
    pub exports: Vec<Export>,
    pub machine: Machine,
    pub records: Vec<Record>,
    pub quiet: bool,
}

impl Report {
    fn say(&self, message: impl std::fmt::Display) {
        if !self.quiet {
            tell(message);
        }
    }

    /// Says what is timed on, and prints the header.
    pub fn begin(&mut self, threads: &[usize]) -> anyhow::Result<()> {
        self.say(format_args!("{}", self.machine));
        if cfg!(debug_assertions) {
            self.say("this build is not optimised: its times say little (build with --release)");
        }
        let cores = self.machine.logical_cores;
        if threads.iter().any(|&threads| threads > cores) {
            self.say(format_args!(
                "there are only {cores} cores: more threads have to share them"
            ));
        }
        let header = match self.form {
            None => Some(self.table.header()),
            Some(form) => form.header(),
        };
        header.map_or(Ok(()), |header| self.output.line(&header))
    }

    /// Prints the records of a size and exports them.
    pub fn add(&mut self, records: Vec<Record>) -> anyhow::Result<()> {
        for record in &records {
            let line = match self.form {
                None => self.table.row(record),
                Some(form) => form.line(record)?,
            };
            self.output.line(&line)?;
        }
        if !records.is_empty() {
            self.exports
                .iter_mut()
                .try_for_each(|export| export.add(&records))?;
        }
        self.records.extend(records);
        Ok(())
    }

    /// Compares, and says what is to be known about the times.
    pub fn end(mut self, earlier: Option<&Earlier>) -> anyhow::Result<()> {
        if let Some(earlier) = earlier {
            self.say(format_args!("compared with {}", earlier.origin()));
            self.output.line("")?;
            for line in earlier.table(&self.records) {
                self.output.line(&line)?;
            }
        }
        if let Some(outliers) = table::outliers(&self.records) {
            self.say(outliers);
        }
        let steady = |record: &&Record| record.figures.steady;
        let unsteady = self.records.len() - self.records.iter().filter(steady).count();
        if unsteady > 0 {
            self.say(format_args!(
                "~ marks times that are not known within 5 % ({unsteady} of {}); a machine with \
                 less to do beside may help",
                self.records.len()
            ));
        }
        self.output.finish()
    }
}
