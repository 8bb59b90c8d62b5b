//! Which server: Redis or Valkey, and of what version.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Beside Cargo's own output; `scripts/engines` puts them there.
const INSTALLED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/engines");

/// A server's program.
///
/// Those that the tests need are installed by `scripts/test`. Each can be replaced by the
/// environment variable that its constructor names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Engine {
    name: String,
    binary: PathBuf,
    install: &'static str,
}

impl Engine {
    /// Redis 7, as in Debian: `redis-server` on the `PATH`, or what `TOLLGATE_REDIS_7` names.
    #[must_use]
    pub fn redis_7() -> Self {
        Self {
            name: "Redis 7".into(),
            binary: named_by("TOLLGATE_REDIS_7").unwrap_or_else(|| "redis-server".into()),
            install: "install it with: apt-get install redis-server",
        }
    }

    /// Redis 6.2, the oldest that is supported, or what `TOLLGATE_REDIS_62` names.
    ///
    /// It knows neither `EXPIRE … NX` nor functions, and is built without TLS.
    #[must_use]
    pub fn redis_6_2() -> Self {
        Self::installed("Redis 6.2", "TOLLGATE_REDIS_62", "redis-6.2/redis-server")
    }

    /// Valkey 9, or what `TOLLGATE_VALKEY_9` names. It is built without TLS.
    #[must_use]
    pub fn valkey_9() -> Self {
        Self::installed("Valkey 9", "TOLLGATE_VALKEY_9", "valkey-9/valkey-server")
    }

    /// A server's program anywhere.
    #[must_use]
    pub fn at(binary: impl Into<PathBuf>) -> Self {
        let binary = binary.into();
        Self {
            name: binary.display().to_string(),
            binary,
            install: "name a server's program",
        }
    }

    /// Every engine that the tests run on: those above, and the programs that
    /// `TOLLGATE_MORE_ENGINES` lists, with a colon between them.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let more = env::var_os("TOLLGATE_MORE_ENGINES").unwrap_or_default();
        let more = env::split_paths(&more).filter(|path| !path.as_os_str().is_empty());
        [Self::redis_7(), Self::redis_6_2(), Self::valkey_9()]
            .into_iter()
            .chain(more.map(Self::at))
            .collect()
    }

    fn installed(name: &str, variable: &str, path: &str) -> Self {
        Self {
            name: name.into(),
            binary: named_by(variable).unwrap_or_else(|| Path::new(INSTALLED).join(path)),
            install: "install it with: scripts/engines",
        }
    }

    /// What a person calls it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The version that the program says it is, as `7.0.15`.
    ///
    /// # Panics
    ///
    /// If it cannot be run, or says nothing of the kind.
    #[must_use]
    pub fn version(&self) -> String {
        let output = self
            .command()
            .arg("--version")
            .output()
            .unwrap_or_else(|error| panic!("cannot run {} ({error}); {}", self.name, self.install));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.split_whitespace()
            .find_map(|word| word.strip_prefix("v="))
            .unwrap_or_else(|| panic!("{} says {text:?} of its version", self.name))
            .to_owned()
    }

    pub(super) fn command(&self) -> Command {
        Command::new(&self.binary)
    }

    /// What to do if it is not there.
    pub(super) const fn install(&self) -> &'static str {
        self.install
    }
}

fn named_by(variable: &str) -> Option<PathBuf> {
    env::var_os(variable)
        .filter(|path| !path.is_empty())
        .map(PathBuf::from)
}
