//! A file that one process has for itself, and that is whole at any moment.
//!
//! New content is written beside the file, synced to the disk, and renamed over it. A process
//! that uses it holds the operating system's lock on the open file, which no crash leaves behind.
//! As each write puts a new file in the old one's place, the new one is locked before it gets the
//! name; and whoever has got the lock looks whether the file he locked still has the name.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::record::FileError;

/// The file, locked for as long as this lives.
#[derive(Debug)]
pub(crate) struct LockedFile {
    path: PathBuf,
    /// The open file that has the name.
    file: File,
    locked: bool,
}

impl LockedFile {
    /// Locks the file and reads it; or makes one with the text `first`, so that a place that
    /// cannot be written to is noticed now.
    pub(crate) fn open(
        path: &Path,
        first: &str,
    ) -> Result<(LockedFile, Option<Vec<u8>>), FileError> {
        // A save would put a file in a link's place; what it points to is meant.
        let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        loop {
            match fs::metadata(path) {
                Ok(metadata) if !metadata.is_file() => {
                    return Err(FileError::NotAFile(path.to_owned()));
                }
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    if fs::symlink_metadata(path).is_ok_and(|there| there.is_symlink()) {
                        return Err(FileError::Dangling(path.to_owned()));
                    }
                    if let Some(new) = LockedFile::make(path, first)? {
                        return Ok((new, None));
                    }
                    continue;
                }
                Err(error) => return Err(FileError::io("read", path)(error)),
            }
            let mut file = match File::options().read(true).write(true).open(path) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(FileError::io("open", path)(error)),
            };
            let locked = lock(&file, path)?;
            if named(&file, path)? != Named::This {
                continue;
            }
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)
                .map_err(FileError::io("read", path))?;
            let file = LockedFile {
                path: path.to_owned(),
                file,
                locked,
            };
            return Ok((file, Some(bytes)));
        }
    }

    /// Makes the file, unless another process was faster.
    fn make(path: &Path, text: &str) -> Result<Option<LockedFile>, FileError> {
        match place_new(path, text.as_bytes()) {
            Ok(file) => {
                sync_folder_of(path);
                Ok(Some(LockedFile {
                    locked: lock(&file, path)?,
                    path: path.to_owned(),
                    file,
                }))
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
            Err(error) => Err(FileError::io("write", path)(error)),
        }
    }

    /// Whether the file system has locks, so that a second process is kept away.
    pub(crate) fn is_locked(&self) -> bool {
        self.locked
    }

    /// The file's name, with links resolved.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes new content. Whether it works or not, the file has the old content or the new.
    pub(crate) fn replace(&mut self, text: &str) -> Result<(), FileError> {
        let path = self.path.as_path();
        let cannot = FileError::io("write", path);
        self.file = match named(&self.file, path)? {
            Named::This => replace(path, text.as_bytes()),
            // Somebody deleted it; nobody else's must be overwritten all the same.
            Named::None => place_new(path, text.as_bytes()),
            Named::Other => return Err(FileError::Replaced(path.to_owned())),
        }
        .map_err(cannot)?;
        sync_folder_of(path);
        Ok(())
    }
}

/// Gives a file the first free name of FILE.old, FILE.old-2 and so on.
///
/// # Errors
/// [`FileError::Io`] if the system refuses.
pub fn set_aside(path: &Path) -> Result<PathBuf, FileError> {
    let name = |suffix: String| {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    };
    let free = std::iter::once(name(".old".to_owned()))
        .chain((2..).map(|number: u64| name(format!(".old-{number}"))))
        .find(|name| fs::symlink_metadata(name).is_err())
        .expect("some name is free");
    fs::rename(path, &free).map_err(FileError::io("rename", path))?;
    Ok(free)
}

/// Takes the lock; false if the file system has none.
fn lock(file: &File, path: &Path) -> Result<bool, FileError> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Err(FileError::Locked(path.to_owned())),
        Err(TryLockError::Error(_)) => Ok(false),
    }
}

/// Which file has a name.
#[derive(Debug, PartialEq, Eq)]
enum Named {
    /// The one that is meant.
    This,
    /// Another one.
    Other,
    /// None any more.
    None,
}

/// Whether this open file still is the one with this name.
#[cfg(unix)]
fn named(file: &File, path: &Path) -> Result<Named, FileError> {
    use std::os::unix::fs::MetadataExt;
    let inode = |metadata: &fs::Metadata| (metadata.dev(), metadata.ino());
    let open = file.metadata().map_err(FileError::io("read", path))?;
    match fs::metadata(path) {
        Ok(named) if inode(&open) == inode(&named) => Ok(Named::This),
        Ok(_) => Ok(Named::Other),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Named::None),
        Err(error) => Err(FileError::io("read", path)(error)),
    }
}

/// Whether this open file still is the one with this name: elsewhere an open file keeps it.
#[cfg(not(unix))]
fn named(_file: &File, _path: &Path) -> Result<Named, FileError> {
    Ok(Named::This)
}

/// Writes a new file, locked, under a name that must be free.
fn place_new(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let new = written_beside(path, bytes, None)?;
    new.persist_noclobber(path).map_err(|error| error.error)
}

/// Writes a new file, locked, and renames it over the old one, whose permissions it keeps.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let permissions = fs::metadata(path)?.permissions();
    let new = written_beside(path, bytes, Some(permissions))?;
    new.persist(path).map_err(|error| error.error)
}

/// A locked file with this content in the same folder, under a name that nobody else uses. A
/// process that is killed before it has given it the right name leaves it behind.
fn written_beside(
    path: &Path,
    bytes: &[u8],
    permissions: Option<fs::Permissions>,
) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any new file: the user's mask takes away what it should.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut new = builder.prefix(".queens-").tempfile_in(folder_of(path))?;
    if let Some(permissions) = permissions {
        new.as_file().set_permissions(permissions)?;
    }
    // Nobody can have it yet: it fails only where there are no locks at all.
    let _ = new.as_file().try_lock();
    new.write_all(bytes)?;
    new.as_file().sync_all()?;
    Ok(new)
}

/// Makes the system remember a name that was given in this folder.
///
/// Some file systems cannot, and a folder that can be written to need not be readable. The file
/// itself is safe all the same: only a loss of power may bring the old one back.
fn sync_folder_of(path: &Path) {
    let _ = File::open(folder_of(path)).and_then(|folder| folder.sync_all());
}

/// The folder that a file is in.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
