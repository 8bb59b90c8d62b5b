//! A policy file that may change while the program runs.

use std::fmt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::contents::{self, Unreadable};
use super::{Diagnostics, Environment, PolicyFile, ProcessEnvironment, StoreSettings};
use crate::observe::reloads;

/// Knows a policy file, and whether it has become another one.
///
/// ```
/// use tollgate::MemoryStore;
/// use tollgate_policy::PolicyLimiter;
/// use tollgate_policy::file::Watch;
///
/// # let dir = std::env::temp_dir().join(format!("tollgate-watch-{}", std::process::id()));
/// # std::fs::create_dir_all(&dir)?;
/// # let path = dir.join("tollgate.toml");
/// # let text = "[[policy]]\nname = 'api'\nkey = 'client.ip'\nlimits = '60/min'";
/// # std::fs::write(&path, text)?;
/// let mut watch = Watch::open(&path)?;
/// let mut limiter = PolicyLimiter::new(watch.file().policies.clone(), MemoryStore::default());
///
/// # std::fs::write(&path, text.replace("60", "120"))?;
/// # watch.poll();
/// // Each second, or as often as you like:
/// match watch.poll() {
///     None => {} // the same as before
///     Some(Ok(reload)) => limiter = limiter.with_policies(reload.file.policies),
///     Some(Err(wrong)) => eprintln!("{wrong}"), // what was in force stays
/// }
/// # let same = PolicyLimiter::new(watch.file().policies.clone(), MemoryStore::default());
/// # assert_eq!(limiter.policies().policies(), same.policies().policies());
/// # assert_eq!(watch.generation(), 2);
/// # std::fs::remove_dir_all(&dir)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// There is no thread, no timer and no notification of the system in it: whoever has it polls. A
/// poll reads the file, so do it where blocking for a moment does no harm.
///
/// # What is a change
///
/// The file's content, and nothing else: not its time, not its inode. The path is followed anew each
/// time, so that a symbolic link anywhere in it may come to point elsewhere, as in a volume of
/// Kubernetes, and an editor may put a new file in the place of the old one.
///
/// [`poll`](Self::poll) believes a content when it has found it twice in a row. A file that is being
/// written, or is missing for the moment between two renames, is so neither an error nor, worse, a
/// file of fewer policies.
///
/// # What is wrong
///
/// A file that cannot be read or used is told once, and again only after it has become another one.
/// [`file`](Self::file) stays the last that could be used.
///
/// # What operators see
///
/// With the feature `metrics`, the metrics that `describe_metrics` tells of; with the feature
/// `tracing`, a line for each reload, and one more if it asks for another [store](Reload::not_applied),
/// has another [secret](Reload::is_rehashed), or has warnings. Install the recorder before the file is opened.
pub struct Watch {
    path: PathBuf,
    environment: Box<dyn Environment + Send + Sync>,
    check: Check,
    /// What was told last: that it is in force, or what is wrong with it.
    told: Content,
    /// What the last poll found, if it was something else.
    found: Option<Content>,
    file: PolicyFile,
    started_with: StoreSettings,
    generation: u64,
}

/// Whether what a file says can be used in a way that this crate does not know of.
type Check = Box<dyn Fn(&PolicyFile) -> Result<(), Diagnostics> + Send + Sync>;

/// A file that was read again and can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reload {
    /// What it says. [`PolicyFile::warnings`] are those of the new text.
    pub file: PolicyFile,
    /// How often a policy file came into force since the process started: 2 or more, since the first
    /// counts, and each reload, also of a file that has not changed.
    pub generation: u64,
    /// The fields of `[store]` that are not what they were when the file was opened, by their names.
    /// A store that runs stays as it is, so these wait for the next start. Empty if there are none.
    pub not_applied: Vec<&'static str>,
    /// True if `hash_secret` is not what it was before. Policies go by the new one, so that keys with
    /// secrets or long values in them have nothing counted yet.
    pub is_rehashed: bool,
}

/// What a file held, to be compared with what it holds later.
#[derive(Debug, PartialEq, Eq)]
enum Content {
    Hash([u8; 32]),
    Unreadable(Unreadable),
}

impl Content {
    fn of(read: &Result<Vec<u8>, Unreadable>) -> Self {
        match read {
            Ok(bytes) => Self::Hash(Sha256::digest(bytes).into()),
            Err(problem) => Self::Unreadable(problem.clone()),
        }
    }
}

impl Watch {
    /// Reads a file for the first time, with the environment of the process.
    ///
    /// # Errors
    ///
    /// As [`PolicyFile::read`].
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, Diagnostics> {
        Self::open_with(path, ProcessEnvironment)
    }

    /// Reads a file for the first time. Its variables are looked up in `environment`, now and each
    /// time that it is read again.
    ///
    /// # Errors
    ///
    /// As [`PolicyFile::read`].
    pub fn open_with(
        path: impl Into<PathBuf>,
        environment: impl Environment + Send + Sync + 'static,
    ) -> Result<Self, Diagnostics> {
        let path = path.into();
        let read = contents::of_regular_file(&path);
        let told = Content::of(&read);
        let file = PolicyFile::of_bytes(&path, read, &environment)?;
        reloads::opened();
        Ok(Self {
            path,
            environment: Box::new(environment),
            check: Box::new(|_| Ok(())),
            told,
            found: None,
            started_with: file.store.clone(),
            file,
            generation: 1,
        })
    }

    /// Lets somebody else have a look at each file that is read from now on: one that they do not
    /// take cannot be used. For what only they know, such as whether there can be a store of its
    /// `[store]` ([`PolicyFile::without_store`]).
    #[must_use]
    pub fn checked_by(
        mut self,
        check: impl Fn(&PolicyFile) -> Result<(), Diagnostics> + Send + Sync + 'static,
    ) -> Self {
        self.check = Box::new(check);
        self
    }

    /// Looks whether the file has become another one, and reads it if so. `None` if it is the same,
    /// or was found as it is for the first time; then the next poll tells.
    ///
    /// # Errors
    ///
    /// All that is wrong with the file, warnings among them. What was in force stays.
    pub fn poll(&mut self) -> Option<Result<Reload, Diagnostics>> {
        let read = contents::of_regular_file(&self.path);
        let content = Content::of(&read);
        if content == self.told {
            self.found = None;
            return None;
        }
        if self.found.as_ref() != Some(&content) {
            self.found = Some(content);
            return None;
        }
        Some(self.take(content, read))
    }

    /// Reads the file at once, whether it has changed or not: for someone who asks for it, and for
    /// variables that have other values.
    ///
    /// # Errors
    ///
    /// All that is wrong with the file, warnings among them. What was in force stays.
    pub fn reload(&mut self) -> Result<Reload, Diagnostics> {
        let read = contents::of_regular_file(&self.path);
        self.take(Content::of(&read), read)
    }

    fn take(
        &mut self,
        content: Content,
        read: Result<Vec<u8>, Unreadable>,
    ) -> Result<Reload, Diagnostics> {
        self.told = content;
        self.found = None;
        let read = PolicyFile::of_bytes(&self.path, read, &*self.environment);
        let checked = read.and_then(|file| (self.check)(&file).map(|()| file));
        match checked {
            Ok(file) => {
                self.generation += 1;
                let is_rehashed = self.file.store.hash_secret != file.store.hash_secret;
                self.file = file.clone();
                let reload = Reload {
                    not_applied: file.store.fixed_fields_unlike(&self.started_with),
                    generation: self.generation,
                    is_rehashed,
                    file,
                };
                reloads::succeeded(&self.path, &reload);
                Ok(reload)
            }
            Err(found) => {
                reloads::failed(&self.path, &found);
                Err(found)
            }
        }
    }

    /// The path, as it was given.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The last file that could be used.
    #[must_use]
    pub const fn file(&self) -> &PolicyFile {
        &self.file
    }

    /// How often a policy file came into force since the process started: 1 at first, and one more for
    /// each [`Reload`], also of a file that has not changed.
    #[must_use]
    pub const fn generation(&self) -> u64 {
        self.generation
    }
}

/// Without the environment, which may hold secrets.
impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch")
            .field("path", &self.path)
            .field("generation", &self.generation)
            .finish_non_exhaustive()
    }
}
