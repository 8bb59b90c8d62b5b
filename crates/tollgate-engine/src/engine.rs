//! The engine, and what it can be told when it is opened.

use std::env::VarError;
use std::fmt::{self, Debug, Formatter};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use tollgate::{AnyStore, Clock};
use tollgate_http::HttpLimiter;
use tollgate_policy::PolicyLimiter;
use tollgate_policy::file::{
    Diagnostics, Environment, PolicyFile, ProcessEnvironment, StoreSettings, Watch,
};

use crate::clock::EngineClock;
use crate::counts::Counts;
use crate::{EngineError, check_store, limiter_of};

/// A policy file in force. Clones share it, and the counts.
#[derive(Clone)]
pub struct Engine {
    pub(crate) shared: Arc<Shared>,
}

pub(crate) struct Shared {
    pub(crate) limiter: HttpLimiter<AnyStore>,
    pub(crate) counts: Counts,
    /// Locked by whoever reads the file, in a thread that may block.
    pub(crate) watch: Mutex<Watch>,
    path: PathBuf,
    store: StoreSettings,
}

impl Engine {
    /// Puts a file in force. Its variables are those of the process. Nothing is sent to the store
    /// yet.
    ///
    /// Install a recorder of metrics before, if there is to be one.
    ///
    /// # Errors
    ///
    /// The file cannot be read or used.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, EngineError> {
        Self::builder(path).open()
    }

    /// Begins an engine with other sources than the process's.
    pub fn builder(path: impl Into<PathBuf>) -> EngineBuilder {
        EngineBuilder {
            path: path.into(),
            environment: Variables(Box::new(ProcessEnvironment)),
            clock: EngineClock::default(),
        }
    }

    /// What decides HTTP requests: for a [`RateLimitLayer`](tollgate_http::RateLimitLayer), or to be
    /// asked. It stays the same through reloads.
    #[must_use]
    pub fn limiter(&self) -> &HttpLimiter<AnyStore> {
        &self.shared.limiter
    }

    /// The policies in force now, over the store: for requests that are no HTTP requests.
    #[must_use]
    pub fn policies(&self) -> PolicyLimiter<AnyStore> {
        self.shared.limiter.policies()
    }

    /// A store for limits that callers bring along, which no policy counts in. In memory it is one of
    /// its own, with the bounds of `[store]`, that is made when this is first called: else a caller who
    /// makes up keys could have the counts of policies dropped. In Redis it is the same.
    #[must_use]
    pub fn store_of_callers(&self) -> AnyStore {
        self.shared.counts.store_of_callers()
    }

    /// The path of the file, as it was given.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.shared.path
    }

    /// What the store was made of: `[store]` of the file that was opened. A reload does not change
    /// it.
    #[must_use]
    pub fn store_settings(&self) -> &StoreSettings {
        &self.shared.store
    }

    /// The file in force. Waits for a reload that is going on.
    #[must_use]
    pub fn file(&self) -> PolicyFile {
        self.lock().file().clone()
    }

    /// How often a policy file came into force since the process started: 1 at first, and one more for
    /// each reload, also of a file that has not changed.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.shared.limiter.generation()
    }

    /// Logs what is in force, and a line for each warning: for the begin of a service. Reloads are
    /// logged by themselves.
    pub fn log(&self) {
        let file = self.file();
        let path = self.path().display();
        tracing::info!(
            file = %path,
            policies = file.policies.policies().len(),
            store = %self.shared.store.url,
            "limits are in force"
        );
        for warning in &file.warnings {
            let position = file.warnings.source().position(warning.span.start);
            tracing::warn!(file = %path, %position, "{}", warning.message);
        }
    }

    /// True while the store is not asked because of an outage. Then each policy does what it says
    /// for when the store fails.
    #[must_use]
    pub fn store_is_away(&self) -> bool {
        self.shared.counts.is_away()
    }

    /// Brings the metrics of the stores up to date that nobody counts as they change. Call it when
    /// metrics are about to be read.
    pub fn record_metrics(&self) {
        self.shared.counts.record_metrics();
    }
}

impl Debug for Engine {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine")
            .field("path", &self.shared.path)
            .field("limiter", &self.shared.limiter)
            .finish_non_exhaustive()
    }
}

/// Where the variables of the file are looked up.
struct Variables(Box<dyn Environment + Send + Sync>);

impl Environment for Variables {
    fn variable(&self, name: &str) -> Result<String, VarError> {
        self.0.variable(name)
    }
}

/// Opens an [`Engine`].
#[must_use = "a builder does nothing until `open` is called"]
pub struct EngineBuilder {
    path: PathBuf,
    environment: Variables,
    clock: EngineClock,
}

impl EngineBuilder {
    /// What the variables of the file stand for. The default is the process's environment.
    pub fn environment(mut self, environment: impl Environment + Send + Sync + 'static) -> Self {
        self.environment = Variables(Box::new(environment));
        self
    }

    /// The time by which everything counts, also in Redis: for tests. The default is the system's,
    /// and in Redis the server's.
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = EngineClock::Given(Arc::new(clock));
        self
    }

    /// Reads the file and puts it in force, as [`Engine::open`].
    ///
    /// # Errors
    ///
    /// The file cannot be read or used.
    pub fn open(self) -> Result<Engine, EngineError> {
        let Self {
            path,
            environment,
            clock,
        } = self;
        let wrong = |found: Diagnostics| EngineError::File(Box::new(found));
        let watch = Watch::open_with(&path, environment).map_err(wrong)?;
        // A file of which no store can be made would keep the next start from opening.
        let watch = watch.checked_by(check_store);
        let file = watch.file();
        let counts = Counts::new(&file.store, &clock)
            .map_err(|problem| wrong(file.without_store(&problem)))?;
        let policies = PolicyLimiter::new(file.policies.clone(), counts.store())
            .with_local_store(counts.local());
        Ok(Engine {
            shared: Arc::new(Shared {
                limiter: limiter_of(policies, file),
                counts,
                path,
                store: file.store.clone(),
                watch: Mutex::new(watch),
            }),
        })
    }
}

impl Debug for EngineBuilder {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("EngineBuilder")
            .field("path", &self.path)
            .field("clock", &self.clock)
            .finish_non_exhaustive()
    }
}
