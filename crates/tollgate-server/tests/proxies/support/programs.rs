//! Where proxies are installed.

use std::env;
use std::path::{Path, PathBuf};

/// What is run beside this process.
pub(crate) struct Programs;

impl Programs {
    /// How to get what is missing.
    pub(crate) const INSTALL: &'static str = "install it with: ./scripts/parts";

    /// One that Debian has. Its folders of servers are not everybody's.
    pub(crate) fn find(name: &str) -> PathBuf {
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = env::split_paths(&path).chain(["/usr/sbin".into()]);
        let mut programs = folders.map(|folder| folder.join(name));
        let found = programs.find(|program| program.is_file());
        found.unwrap_or_else(|| panic!("there is no {name}; {}", Self::INSTALL))
    }

    /// One that scripts/parts brings, or the one that a variable such as `TOLLGATE_TRAEFIK` names.
    pub(crate) fn part(name: &str) -> PathBuf {
        let variable = format!("TOLLGATE_{}", name.to_uppercase());
        let program = env::var_os(variable).map_or_else(
            || {
                let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
                root.join("target/parts").join(name).join(name)
            },
            PathBuf::from,
        );
        assert!(
            program.is_file(),
            "there is no {}; {}",
            program.display(),
            Self::INSTALL
        );
        // It is run in another folder.
        program.canonicalize().unwrap()
    }
}
