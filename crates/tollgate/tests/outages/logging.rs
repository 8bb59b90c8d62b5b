//! What an operator sees.

use std::io;
use std::sync::{Arc, LazyLock, Mutex};

use tollgate::OutageChange;
use tracing::Dispatch;
use tracing::subscriber::{DefaultGuard, NoSubscriber};
use tracing_subscriber::fmt::MakeWriter;

use super::*;

/// What was logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

/// One subscriber alone would be asked about a line by the thread that first comes by it, which
/// may be one of a test that has none.
static ANOTHER: LazyLock<Dispatch> = LazyLock::new(|| Dispatch::new(NoSubscriber::default()));

impl Log {
    /// Writes what this thread logs from now on.
    fn begin(&self) -> DefaultGuard {
        LazyLock::force(&ANOTHER);
        let subscriber = tracing_subscriber::fmt()
            .with_writer(self.clone())
            .without_time()
            .with_ansi(false)
            .finish();
        tracing::subscriber::set_default(subscriber)
    }

    fn lines(&self) -> Vec<String> {
        let bytes = self.0.lock().unwrap().clone();
        let text = String::from_utf8(bytes).unwrap();
        text.lines().map(str::to_owned).collect()
    }
}

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

#[tokio::test(start_paused = true)]
async fn an_outage_is_two_lines_whatever_the_load() {
    let log = Log::default();
    let _logging = log.begin();
    let guard = guard();
    open(&guard).await;
    for _ in 0..1_000 {
        assert!(decide(&guard).await.is_err());
    }
    let lines = log.lines();
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(
        lines[0].contains("WARN") && lines[0].contains("cause=the store did not answer in time")
    );
    guard.store().set_health(Health::Serving);
    until_closed(&guard).await;
    decide(&guard).await.unwrap();
    let lines = log.lines();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(
        lines[1].contains("INFO") && lines[1].contains("degraded=1001"),
        "{lines:?}"
    );
    assert!(lines[1].contains("lasted=0."), "{lines:?}");
}

#[tokio::test(start_paused = true)]
async fn the_first_failure_is_told_with_its_cause_at_most_once_a_minute() {
    let log = Log::default();
    let _logging = log.begin();
    let guard = guard();
    let fail_twice = async || {
        guard
            .store()
            .set_health(Health::Failing(StoreErrorKind::Unavailable));
        assert!(decide(&guard).await.is_err());
        assert!(decide(&guard).await.is_err());
        guard.store().set_health(Health::Serving);
        decide(&guard).await.unwrap();
    };
    fail_twice().await;
    let lines = log.lines();
    assert_eq!(lines.len(), 1, "{lines:?}");
    let line = &lines[0];
    assert!(
        line.contains("WARN") && line.contains("a call to the rate-limit store has failed cause="),
        "{line}"
    );
    assert!(!guard.is_open());
    fail_twice().await;
    assert_eq!(log.lines().len(), 1);
    tokio::time::advance(Duration::from_secs(60)).await;
    fail_twice().await;
    assert_eq!(log.lines().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn that_too_many_calls_wait_is_told_at_most_once_a_minute() {
    let log = Log::default();
    let _logging = log.begin();
    let guard = OutageGuard::builder(shaky())
        .max_waiting(1)
        .build()
        .unwrap();
    guard.store().set_health(Health::Hanging);
    let (_, told) = tokio::join!(decide(&guard), async {
        for _ in 0..10 {
            assert_eq!(error(&guard).await, StoreErrorKind::Overloaded);
        }
        log.lines()
    });
    assert_eq!(told.len(), 1, "{told:?}");
    let expected = "cause=as many calls as may be are waiting for the store";
    assert!(
        told[0].contains("WARN") && told[0].contains(expected),
        "{told:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn who_wants_to_know_is_told_in_order() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let telling = Arc::clone(&told);
    let guard = OutageGuard::builder(shaky())
        .failures(3)
        .on_change(move |change| telling.lock().unwrap().push(*change))
        .build()
        .unwrap();
    guard
        .store()
        .set_health(Health::Failing(StoreErrorKind::Unavailable));
    for _ in 0..10 {
        assert!(decide(&guard).await.is_err());
    }
    assert_eq!(*told.lock().unwrap(), [OutageChange::Opened]);
    guard.store().set_health(Health::Serving);
    until_closed(&guard).await;
    let told = told.lock().unwrap();
    let [OutageChange::Opened, OutageChange::Closed { degraded, .. }] = told[..] else {
        panic!("{told:?}");
    };
    // The one that opened it, and seven that were not sent.
    assert_eq!(degraded, 8);
    let stats = guard.stats();
    assert_eq!((stats.failures, stats.rejected), (3, 7));
    assert_eq!((stats.opened, stats.closed), (1, 1));
}
