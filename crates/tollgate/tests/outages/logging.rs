//! What an operator sees.

use std::io;
use std::sync::{Arc, Mutex};

use tollgate::OutageChange;
use tracing_subscriber::fmt::MakeWriter;

use super::*;

/// What was logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
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
    let subscriber = tracing_subscriber::fmt()
        .with_writer(log.clone())
        .without_time()
        .with_ansi(false)
        .finish();
    let _logging = tracing::subscriber::set_default(subscriber);
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
    assert!(lines[1].contains("lasted="), "{lines:?}");
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
