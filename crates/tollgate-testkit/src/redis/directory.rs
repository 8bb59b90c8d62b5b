//! A directory of one's own, which does not stay.

use std::fs;
use std::path::{Path, PathBuf};

/// A new directory in the temporary one, removed with this value.
#[derive(Debug)]
pub(super) struct Directory(PathBuf);

impl Directory {
    pub(super) fn new() -> Self {
        let name = format!("tollgate-redis-{:016x}", fastrand::u64(..));
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).expect("a new directory in the temporary one");
        Self(path)
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// A path in it, as text.
    pub(super) fn file(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // What is left of it is in the temporary directory.
        let _ = fs::remove_dir_all(&self.0);
    }
}
