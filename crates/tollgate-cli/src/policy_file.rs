//! The policy file that a command is told of.

use std::path::Path;

use tollgate_engine::check_store;
use tollgate_policy::AttributeName;
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

/// Every attribute that a policy looks at, each once.
pub(crate) fn attributes_of(file: &PolicyFile) -> Vec<&AttributeName> {
    let policies = file.policies.policies().iter();
    let mut names: Vec<&AttributeName> = policies.flat_map(|policy| policy.attributes()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Those of them that no request has unless the program adds them.
pub(crate) fn added_attributes(file: &PolicyFile) -> Vec<&AttributeName> {
    let mut names = attributes_of(file);
    names.retain(|name| matches!(name, AttributeName::Other(_)));
    names
}
