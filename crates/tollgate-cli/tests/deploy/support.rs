//! Where files are, and what runs over them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) fn workspace() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().unwrap()
}

pub(crate) fn read(path: &str) -> String {
    std::fs::read_to_string(workspace().join(path)).unwrap()
}

pub(crate) fn tollgate(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tollgate"));
    command.args(arguments);
    command
}

/// Runs a program that must end well, in the root of the repository, and gives all that it says.
pub(crate) fn runs(program: &str, package: &str, arguments: &[&str]) -> String {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(workspace())
        .output()
        .unwrap_or_else(|error| {
            panic!("cannot run {program} ({error}); install it with: apt-get install {package}")
        });
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {arguments:?}: {said}");
    said.into_owned()
}

/// The variables that `tollgate serve` takes, by its help.
pub(crate) fn variables() -> BTreeSet<String> {
    let help = tollgate(&["serve", "--help"]).env_clear().output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let found = help.split("[env: ").skip(1);
    let found = found.filter_map(|it| Some(it.split_once('=')?.0.to_owned()));
    let found: BTreeSet<String> = found.collect();
    assert!(found.len() > 10 && found.contains("TOLLGATE_HTTP"));
    found
}
