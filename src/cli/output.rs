//! Where the answer goes: stdout, or a file that appears whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anstream::{AutoStream, ColorChoice};
use anyhow::Context;
use tempfile::NamedTempFile;

/// The sink for the answer.
pub enum Output {
    /// Each line is written when it is known.
    Stdout(io::Stdout),
    /// Gathered beside the file, and renamed to it at the end.
    File(NamedTempFile, PathBuf),
    /// A device or pipe, which is written to, never replaced.
    Device(File, PathBuf),
}

impl Output {
    /// Opens the file, or stdout where none is named. A place that cannot be written to is
    /// noticed here, before a long count begins.
    pub fn open(path: Option<&Path>) -> anyhow::Result<Output> {
        let Some(path) = path else {
            return Ok(Output::Stdout(io::stdout()));
        };
        let cannot = || cannot_write(path);
        // Links are followed, so that the file is replaced and not the link to it.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let metadata = fs::metadata(&target);
        if metadata.as_ref().is_ok_and(|metadata| metadata.is_dir())
            || path.as_os_str().as_encoded_bytes().ends_with(b"/")
        {
            anyhow::bail!("{}: it is a folder; name a file in it", cannot());
        }
        // What stands in /dev or /proc may be another name of an open file.
        let special = ["/dev", "/proc"]
            .iter()
            .any(|folder| path.starts_with(folder));
        if special || metadata.as_ref().is_ok_and(|metadata| !metadata.is_file()) {
            let device = File::options()
                .write(true)
                .open(path)
                .with_context(cannot)?;
            return Ok(Output::Device(device, path.to_owned()));
        }
        let mut builder = tempfile::Builder::new();
        // As any new file: the user's mask takes away what it should.
        builder.permissions(fs::Permissions::from_mode(0o666));
        // Named after the target, so that a name that is too long is noticed now.
        let mut prefix = OsString::from(".");
        prefix.push(target.file_name().with_context(cannot)?);
        let file = builder
            .prefix(&prefix)
            .tempfile_in(folder_of(&target))
            .map_err(plain)
            .with_context(cannot)?;
        if let Ok(metadata) = metadata {
            file.as_file()
                .set_permissions(metadata.permissions())
                .with_context(cannot)?;
        }
        Ok(Output::File(file, target))
    }

    /// Writes a line of the answer.
    pub fn line(&mut self, line: &str) -> anyhow::Result<()> {
        let written = writeln!(self, "{line}").and_then(|()| self.flush());
        written.with_context(|| match self {
            Output::Stdout(_) => "cannot write to stdout".to_owned(),
            Output::File(_, path) | Output::Device(_, path) => cannot_write(path),
        })
    }

    /// Whether the answer may be in colour: on a terminal, unless the user's NO_COLOR or the
    /// like forbids it.
    pub fn is_coloured(&self) -> bool {
        match self {
            Output::Stdout(stdout) => AutoStream::choice(stdout) != ColorChoice::Never,
            Output::File(..) | Output::Device(..) => false,
        }
    }

    /// Makes the answer visible as a whole.
    pub fn finish(self) -> anyhow::Result<()> {
        match self {
            Output::Stdout(mut stdout) => stdout.flush().context("cannot write to stdout"),
            Output::Device(mut device, path) => device.flush().with_context(|| cannot_write(&path)),
            Output::File(file, path) => {
                file.as_file()
                    .sync_all()
                    .and_then(|()| file.persist(&path).map_err(|error| error.error))
                    .with_context(|| cannot_write(&path))?;
                // So that the name outlives a loss of power; not every file system can.
                let _ = File::open(folder_of(&path)).and_then(|folder| folder.sync_all());
                Ok(())
            }
        }
    }
}

/// A path without links and dots, as far as it is there.
pub fn resolved(path: &Path) -> PathBuf {
    if let Ok(path) = fs::canonicalize(path) {
        return path;
    }
    let folder = folder_of(path);
    let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    path.file_name()
        .map_or(folder.clone(), |name| folder.join(name))
}

fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The system's own error, without the name of the temporary file, which nobody gave.
fn plain(error: io::Error) -> io::Error {
    match error.to_string().split_once(" at path ") {
        Some((what, _)) => io::Error::new(error.kind(), what),
        None => error,
    }
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write to {}", path.display())
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Stdout(stdout) => stdout.write(bytes),
            Output::File(file, _) => file.write(bytes),
            Output::Device(device, _) => device.write(bytes).map_err(|error| match error.kind() {
                // Only where nobody reads stdout any more is that no error.
                io::ErrorKind::BrokenPipe => io::Error::other("nobody reads it any more"),
                _ => error,
            }),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Stdout(stdout) => stdout.flush(),
            Output::File(file, _) => file.flush(),
            Output::Device(device, _) => device.flush(),
        }
    }
}
