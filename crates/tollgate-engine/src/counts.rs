//! Where the engine counts, as `[store]` of the policy file says.

use std::sync::{Arc, OnceLock};

use tollgate::{AnyStore, DenialCache, MemoryStore, OutageGuard};
use tollgate_policy::file::{Diagnostics, PolicyFile, StoreKind, StoreSettings};
use tollgate_redis::RedisStore;

use crate::clock::EngineClock;

/// The most keys of the store for outages, which counts what comes while they last.
const LOCAL_KEYS: usize = 100_000;
/// The most bytes of its logs.
const LOCAL_LOG_BYTES: usize = 16 << 20;

type Memory = MemoryStore<EngineClock>;
type Guarded = OutageGuard<RedisStore>;

/// The store, and handles on what it is made of.
#[derive(Clone)]
pub(crate) struct Counts {
    place: Place,
    /// Counts for policies that say `local`, while the store makes no decision.
    local: Arc<Memory>,
    given: Given,
}

/// The memory for limits that callers bring along, made when the first comes.
#[derive(Clone)]
struct Given {
    memory: Arc<OnceLock<Arc<Memory>>>,
    max_keys: usize,
    max_log_bytes: usize,
    clock: EngineClock,
}

#[derive(Clone)]
enum Place {
    Memory(Arc<Memory>),
    Redis {
        guard: Guarded,
        cache: Option<Arc<DenialCache<Guarded, EngineClock>>>,
    },
}

impl Counts {
    /// Makes the store, and sends it nothing yet. The error says what is wrong, without a secret.
    pub(crate) fn new(settings: &StoreSettings, clock: &EngineClock) -> Result<Self, String> {
        let place = match settings.url.kind() {
            StoreKind::Memory => {
                Place::Memory(memory(settings.max_keys, settings.max_log_bytes, clock))
            }
            StoreKind::Redis => Place::redis(settings, clock)?,
            other => return Err(format!("there is no store of the kind {other:?}")),
        };
        Ok(Self {
            place,
            local: memory(LOCAL_KEYS, LOCAL_LOG_BYTES, clock),
            given: Given {
                memory: Arc::default(),
                max_keys: settings.max_keys,
                max_log_bytes: settings.max_log_bytes,
                clock: clock.clone(),
            },
        })
    }

    /// What decides.
    pub(crate) fn store(&self) -> AnyStore {
        match &self.place {
            Place::Memory(memory) => AnyStore::new(Arc::clone(memory)),
            Place::Redis {
                cache: Some(cache), ..
            } => AnyStore::new(Arc::clone(cache)),
            Place::Redis { guard, cache: None } => AnyStore::new(guard.clone()),
        }
    }

    /// What decides by limits that callers bring along. In memory it is another one: whoever makes up
    /// keys and limits could fill it with keys that are being denied.
    pub(crate) fn store_of_callers(&self) -> AnyStore {
        match &self.place {
            Place::Memory(_) => {
                let given = &self.given;
                let memory = given
                    .memory
                    .get_or_init(|| memory(given.max_keys, given.max_log_bytes, &given.clock));
                AnyStore::new(Arc::clone(memory))
            }
            Place::Redis { .. } => self.store(),
        }
    }

    /// What decides while the store makes no decision.
    pub(crate) fn local(&self) -> Arc<Memory> {
        Arc::clone(&self.local)
    }

    /// True while the store is not asked because of an outage.
    pub(crate) fn is_away(&self) -> bool {
        match &self.place {
            Place::Memory(_) => false,
            Place::Redis { guard, .. } => guard.is_open(),
        }
    }

    /// Forgets what was remembered of denials by other policies.
    pub(crate) fn policies_changed(&self) {
        if let Place::Redis {
            cache: Some(cache), ..
        } = &self.place
        {
            cache.clear();
        }
    }

    /// Brings the metrics up to date that nobody counts as they change.
    pub(crate) fn record_metrics(&self) {
        self.local.record_metrics("local");
        if let Some(given) = self.given.memory.get() {
            given.record_metrics("callers");
        }
        match &self.place {
            Place::Memory(memory) => memory.record_metrics("memory"),
            Place::Redis { guard, cache } => {
                guard.record_metrics("redis");
                if let Some(cache) = cache {
                    cache.record_metrics("redis");
                }
            }
        }
    }
}

fn memory(max_keys: usize, max_log_bytes: usize, clock: &EngineClock) -> Arc<Memory> {
    let memory = MemoryStore::builder()
        .max_keys(max_keys)
        .max_log_bytes(max_log_bytes)
        .clock(clock.clone());
    Arc::new(memory.build())
}

/// Checks that there can be a store of a file's `[store]`, as [`Engine::open`](crate::Engine::open)
/// does. Nothing is sent or kept.
///
/// # Errors
///
/// The file's warnings, and where the URL stands what is wrong with it, without a secret.
pub fn check_store(file: &PolicyFile) -> Result<(), Diagnostics> {
    let made = match file.store.url.kind() {
        StoreKind::Memory => Ok(()),
        _ => Counts::new(&file.store, &EngineClock::default()).map(|_| ()),
    };
    made.map_err(|problem| file.without_store(&problem))
}

impl Place {
    /// By Redis's clock, unless one was given. A decision takes at most the time-out; an outage
    /// costs that once, and not for every request.
    fn redis(settings: &StoreSettings, clock: &EngineClock) -> Result<Self, String> {
        let store = RedisStore::open(settings.url.expose())
            .map_err(|error| error.to_string())?
            .prefix(settings.prefix.clone())
            // The guard is to see that an answer is late, not the store.
            .timeout(settings.timeout.saturating_mul(2));
        let store = match clock {
            EngineClock::System(_) => store,
            EngineClock::Given(_) => store.with_clock(clock.clone()),
        };
        let guard = OutageGuard::builder(store)
            .deadline(settings.timeout)
            .max_waiting(settings.max_waiting)
            .failures(settings.max_failures)
            .build()
            .map_err(|error| error.to_string())?;
        let cache = (settings.denial_cache > 0).then(|| {
            let cache = DenialCache::builder(guard.clone()).max_entries(settings.denial_cache);
            Arc::new(match clock {
                EngineClock::System(_) => cache.clock(clock.clone()).build(),
                EngineClock::Given(_) => cache.clock_of_store(clock.clone()).build(),
            })
        });
        Ok(Self::Redis { guard, cache })
    }
}
