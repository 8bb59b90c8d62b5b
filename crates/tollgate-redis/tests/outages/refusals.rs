//! Servers that are not there, or answer that they do not decide: that is known at once.

use tollgate_testkit::redis::{Engine, RedisServer};

use crate::given::{Choice, Instance, UNITS, assert_tidy};

/// How often each client asks before the fault.
const BEFORE: u64 = 4;
/// How often it asks during the fault.
const DURING: u64 = 100;
/// As many refusals as open the breaker, with those that come at the same time, and several probes.
const CALLS_AND_PROBES: u64 = 12;

/// An outage that begins with refusals, as one instance sees it: nothing is counted meanwhile.
struct Refused {
    server: RedisServer,
    instance: Instance,
    prefix: String,
}

impl Refused {
    async fn start(engine: Engine) -> Self {
        let server = RedisServer::start_engine(engine);
        let prefix = RedisServer::fresh_prefix();
        let instance = Instance::alone(&server.url(), &prefix);
        for choice in Choice::ALL {
            assert_eq!(instance.admitted(choice, "k", BEFORE).await, BEFORE);
        }
        Self {
            server,
            instance,
            prefix,
        }
    }

    /// Requests during the fault, which get what their policies say: those that are decided here,
    /// the limit in all.
    async fn is_refused(&self) {
        let mut admitted = 0;
        for _ in 0..DURING {
            admitted += u64::from(self.instance.ask_each_in_vain("k").await);
        }
        assert_eq!(admitted, UNITS, "{}", self.server.engine().name());
    }

    /// What is left of the limits when the fault is over.
    async fn is_served(&self, left: u64) {
        let Self {
            server, instance, ..
        } = self;
        let name = server.engine().name();
        instance
            .until_the_store_decides(Choice::Deny, "other")
            .await;
        for choice in Choice::ALL {
            let admitted = instance.admitted(choice, "k", 2 * UNITS).await;
            assert_eq!(admitted, left, "{name}, {choice:?}");
        }
        let stats = instance.stats();
        assert_eq!((stats.opened, stats.waiting), (stats.closed, 0), "{name}");
        assert_tidy(server, &self.prefix, 1);
    }
}

// B97, B99, B107
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_was_killed_and_came_back_empty_decides_again() {
    for engine in Engine::all() {
        let mut this = Refused::start(engine).await;
        this.server.kill();
        this.is_refused().await;
        assert!(this.instance.is_open());
        assert_eq!(this.instance.stats().timeouts, 0);
        this.server.start_again();
        this.is_served(UNITS).await;
        assert_eq!(this.instance.stats().opened, 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_without_memory_does_not_open_the_breaker_and_decides_again_with_more() {
    for engine in Engine::all() {
        let this = Refused::start(engine).await;
        this.server.set_max_memory(1);
        this.is_refused().await;
        // It answers, so it is asked.
        assert_eq!(this.instance.stats().opened, 0);
        this.server.set_max_memory(0);
        this.is_served(UNITS - BEFORE).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_has_become_a_replica_decides_again_as_a_master() {
    for engine in Engine::all() {
        let this = Refused::start(engine).await;
        this.server.make_read_only();
        this.is_refused().await;
        assert!(this.instance.stats().opened >= 1);
        this.server.make_writable();
        this.is_served(UNITS - BEFORE).await;
    }
}

/// It answers who only looks. If probes did, each would end the outage, and with it what was counted
/// here.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_takes_no_writes_is_one_outage_however_long() {
    for engine in Engine::all() {
        let this = Refused::start(engine).await;
        // What a script answers of a refusal is no error reply, so calls are counted.
        let calls = || -> u64 {
            let info = this.server.command(&["INFO", "commandstats"]).text();
            let start = "cmdstat_evalsha:calls=";
            let line = info.lines().find_map(|line| line.strip_prefix(start));
            let calls = line.and_then(|line| line.split(',').next());
            calls.unwrap().parse().unwrap()
        };
        let enough = calls() + CALLS_AND_PROBES;
        this.server.make_read_only();
        let mut admitted = 0;
        while calls() < enough {
            admitted += u64::from(this.instance.ask_each_in_vain("k").await);
        }
        let name = this.server.engine().name();
        assert_eq!(admitted, UNITS, "{name}");
        this.server.make_writable();
        this.is_served(UNITS - BEFORE).await;
        assert_eq!(this.instance.stats().opened, 1, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_loads_its_data_decides_with_them_when_it_has() {
    let mut this = Refused::start(Engine::redis_7()).await;
    this.server.start_again_loading();
    this.is_refused().await;
    this.server.finish_loading();
    this.is_served(UNITS - BEFORE).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_busy_with_another_script_decides_after_it() {
    let this = Refused::start(Engine::redis_7()).await;
    this.server.run_endless_script();
    this.is_refused().await;
    this.server.end_script();
    this.is_served(UNITS - BEFORE).await;
}

/// A service that is started while its store is away.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_instance_that_starts_without_a_server_counts_there_when_it_comes() {
    let mut server = RedisServer::start();
    server.kill();
    let prefix = RedisServer::fresh_prefix();
    let instance = Instance::alone(&server.url(), &prefix);
    for _ in 0..DURING {
        instance.ask_each_in_vain("k").await;
    }
    server.start_again();
    instance
        .until_the_store_decides(Choice::Deny, "other")
        .await;
    assert_eq!(
        instance.admitted(Choice::Local, "k", 2 * UNITS).await,
        UNITS
    );
    assert_tidy(&server, &prefix, 1);
}
