//! Where the answer goes: stdout, or a file that appears whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
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
    Device(File),
}

impl Output {
    /// Opens the file, or stdout where none is named. A place that cannot be written to is
    /// noticed here, before a long count begins.
    pub fn open(path: Option<&Path>) -> anyhow::Result<Output> {
        let Some(path) = path else {
            return Ok(Output::Stdout(io::stdout()));
        };
        let cannot = || format!("cannot write to {}", path.display());
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                anyhow::bail!("{}: it is a folder; name a file in it", cannot())
            }
            Ok(metadata) if !metadata.is_file() => {
                let device = File::options()
                    .write(true)
                    .open(path)
                    .with_context(cannot)?;
                return Ok(Output::Device(device));
            }
            _ => {}
        }
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // As any new file: the user's mask takes away what it should.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let file = builder
            .prefix(".queens-")
            .tempfile_in(folder)
            .with_context(cannot)?;
        Ok(Output::File(file, path.to_owned()))
    }

    /// Whether the answer may be in colour: on a terminal, unless the user's NO_COLOR or the
    /// like forbids it.
    pub fn is_coloured(&self) -> bool {
        match self {
            Output::Stdout(stdout) => AutoStream::choice(stdout) != ColorChoice::Never,
            Output::File(..) | Output::Device(_) => false,
        }
    }

    /// Makes the answer visible as a whole.
    pub fn finish(self) -> anyhow::Result<()> {
        match self {
            Output::Stdout(mut stdout) => stdout.flush().context("cannot write to stdout"),
            Output::Device(mut device) => device.flush().context("cannot write"),
            Output::File(file, path) => {
                file.as_file()
                    .sync_all()
                    .map_err(anyhow::Error::from)
                    .and_then(|()| file.persist(&path).map_err(anyhow::Error::from))
                    .with_context(|| format!("cannot write to {}", path.display()))?;
                Ok(())
            }
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Stdout(stdout) => stdout.write(bytes),
            Output::File(file, _) => file.write(bytes),
            Output::Device(device) => device.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Stdout(stdout) => stdout.flush(),
            Output::File(file, _) => file.flush(),
            Output::Device(device) => device.flush(),
        }
    }
}
