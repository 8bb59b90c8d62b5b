//! The policy file that a command is told of.

use std::path::Path;

use tollgate_engine::check_store;
use tollgate_policy::file::{Diagnostics, PolicyFile};

/// True if standard input is meant.
pub(crate) fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// What people call it.
pub(crate) fn name(path: &Path) -> String {
    if is_standard_input(path) {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    }
}

/// Reads a file, or standard input, and checks it as a service does that opens it.
pub(crate) fn read(path: &Path) -> Result<PolicyFile, Diagnostics> {
    let file = if is_standard_input(path) {
        PolicyFile::from_reader(&name(path), std::io::stdin().lock())
    } else {
        PolicyFile::read(path)
    }?;
    check_store(&file)?;
    Ok(file)
}
