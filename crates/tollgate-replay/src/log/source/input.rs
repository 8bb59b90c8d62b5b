//! What to read: files, patterns of files' names, standard input, or a text in memory.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A log to read.
#[derive(Clone)]
pub enum Input {
    /// A file, plain or compressed with gzip or zstd, as its first bytes say.
    File(PathBuf),
    /// Standard input, likewise.
    StandardInput,
    /// A file that is open already, read from its begin.
    Opened {
        /// What reports call it.
        name: String,
        /// The file. Where it is read from moves, for all that share it.
        file: Arc<File>,
    },
    /// A text in memory, likewise.
    Text {
        /// What reports call it.
        name: String,
        /// What it says.
        bytes: Vec<u8>,
    },
}

impl Input {
    /// What a command's argument names: standard input by `-`, a file, or else the files that match
    /// it as a pattern (`access.log*`, `/var/log/**/access_*.log.gz`), in the order of their names.
    ///
    /// A file whose name looks like a pattern is that file.
    ///
    /// # Errors
    ///
    /// The pattern is malformed, matches no file, or a directory on the way cannot be read.
    pub fn named(argument: &str) -> io::Result<Vec<Self>> {
        if argument == "-" {
            return Ok(vec![Self::StandardInput]);
        }
        let is_pattern = argument.contains(['*', '?', '[']);
        if !is_pattern || Path::new(argument).exists() {
            return Ok(vec![Self::File(argument.into())]);
        }
        let paths = glob::glob(argument).map_err(|error| {
            let text = format!("`{argument}` is no pattern of file names: {error}");
            io::Error::new(io::ErrorKind::InvalidInput, text)
        })?;
        let mut files = Vec::new();
        for path in paths {
            let path = path.map_err(|error| {
                let text = format!("{}: {}", error.path().display(), error.error());
                io::Error::new(error.error().kind(), text)
            })?;
            if !path.is_dir() {
                files.push(Self::File(path));
            }
        }
        if files.is_empty() {
            let text = format!("no file matches `{argument}`");
            return Err(io::Error::new(io::ErrorKind::NotFound, text));
        }
        Ok(files)
    }

    /// What reports call it.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::StandardInput => "standard input".to_owned(),
            Self::Opened { name, .. } | Self::Text { name, .. } => name.clone(),
        }
    }
}

/// An open file equals itself only.
impl PartialEq for Input {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::File(path), Self::File(other)) => path == other,
            (Self::StandardInput, Self::StandardInput) => true,
            (
                Self::Opened { name, file },
                Self::Opened {
                    name: other,
                    file: same,
                },
            ) => name == other && Arc::ptr_eq(file, same),
            (
                Self::Text { name, bytes },
                Self::Text {
                    name: other,
                    bytes: same,
                },
            ) => name == other && bytes == same,
            _ => false,
        }
    }
}

impl Eq for Input {}

/// Without the text itself.
impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Input({})", self.name())
    }
}
