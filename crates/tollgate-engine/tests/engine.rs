//! A policy file in force, by what a request then gets.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on")]

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;
use tollgate::{ManualClock, Micros, Timestamp};
use tollgate_engine::{Engine, EngineError, check_store};
use tollgate_policy::file::PolicyFile;
use tollgate_policy::{AttributeMap, Reason};
use tollgate_testkit::RedisServer;

const POLICY: &str = "
[[policy]]
name = 'login'
key = ['client.ip']
limits = ['2/min fixed-window']
on_store_failure = 'local'
local_share = '1/1'
";

struct File {
    path: PathBuf,
    _folder: TempDir,
}

impl File {
    fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tollgate.toml");
        fs::write(&path, text).unwrap();
        Self {
            path,
            _folder: folder,
        }
    }

    fn of_store(url: &str) -> Self {
        Self::new(&format!("[store]\nurl = '{url}'\n{POLICY}"))
    }
}

/// On a clock that stands still, so that no window ends meanwhile.
fn open(path: impl Into<PathBuf>) -> Engine {
    let clock = ManualClock::new(Timestamp::from_secs(1_000_020));
    Engine::builder(path).clock(clock).open().unwrap()
}

async fn reason(engine: &Engine) -> Reason {
    let client = AttributeMap::new().with_client_ip("198.51.100.7".parse().unwrap());
    engine.policies().decide(&client).await.reason()
}

#[tokio::test]
async fn a_file_without_a_store_counts_in_memory() {
    let engine = open(File::new(POLICY).path);
    assert_eq!(reason(&engine).await, Reason::Allowed);
    assert_eq!(reason(&engine).await, Reason::Allowed);
    assert_eq!(reason(&engine).await, Reason::LimitExceeded);
    assert!(!engine.store_is_away());
}

#[tokio::test]
async fn two_engines_on_one_redis_share_their_counts() {
    let server = RedisServer::start();
    let file = File::of_store(&server.url());
    let clock = ManualClock::new(Timestamp::from_secs(1_000_020));
    let open = || {
        Engine::builder(&file.path)
            .clock(clock.clone())
            .open()
            .unwrap()
    };
    let (one, other) = (open(), open());
    assert_eq!(reason(&one).await, Reason::Allowed);
    assert_eq!(reason(&other).await, Reason::Allowed);
    assert_eq!(reason(&one).await, Reason::LimitExceeded);
    assert_eq!(reason(&other).await, Reason::LimitExceeded);
    clock.advance(Micros::from_secs(60));
    assert_eq!(reason(&other).await, Reason::Allowed);
}

#[tokio::test]
async fn a_store_that_is_away_does_not_keep_it_from_opening() {
    // Nobody listens there.
    let engine = open(&File::of_store("redis://127.0.0.1:1").path);
    assert_eq!(reason(&engine).await, Reason::StoreFailedLocalAllow);
}

#[tokio::test]
async fn a_reload_changes_limits_and_keeps_what_was_used() {
    let file = File::new(POLICY);
    let engine = open(&file.path);
    assert_eq!(reason(&engine).await, Reason::Allowed);
    assert_eq!(reason(&engine).await, Reason::Allowed);

    fs::write(&file.path, POLICY.replace("2/min", "3/min")).unwrap();
    assert!(engine.poll().is_none(), "it may still be written to");
    assert_eq!(engine.poll().unwrap().unwrap().generation, 2);
    assert_eq!(engine.generation(), 2);
    assert_eq!(reason(&engine).await, Reason::Allowed);
    assert_eq!(reason(&engine).await, Reason::LimitExceeded);
}

#[tokio::test]
async fn a_file_that_has_become_wrong_changes_nothing() {
    let file = File::new(POLICY);
    let engine = open(&file.path);
    let before = engine.file();
    fs::write(&file.path, POLICY.replace("2/min", "2/mun")).unwrap();
    let found = engine.reload().unwrap_err();
    assert!(found.to_string().contains("tollgate.toml:5:"), "{found}");
    assert_eq!(engine.file(), before);
    assert_eq!(engine.generation(), 1);
    assert_eq!(reason(&engine).await, Reason::Allowed);
}

#[test]
fn a_file_is_checked_as_it_is_opened() {
    let checked = |url: &str| {
        let file = File::of_store(url);
        let read = PolicyFile::read(&file.path).unwrap();
        check_store(&read).map_err(|found| found.to_string())
    };
    for url in ["memory:", "redis://h:6379/1", "redis-sentinel://h/main"] {
        assert_eq!(checked(url), Ok(()), "{url}");
    }
    for (url, said) in [
        ("redis://h:99999", "port"),
        ("redis://h/x", "database"),
        ("redis-sentinel://h", "master"),
        ("redis://user:s3/cret@h", "%2F"),
    ] {
        let found = checked(url).unwrap_err();
        assert!(found.contains("tollgate.toml:2:8"), "{found}");
        assert!(found.contains(said) && !found.contains("s3"), "{found}");
    }
    #[cfg(not(feature = "tls"))]
    assert!(checked("rediss://h").unwrap_err().contains("`tls`"));
    #[cfg(feature = "tls")]
    assert_eq!(checked("rediss://h"), Ok(()));
}

#[tokio::test]
async fn a_reload_that_would_keep_the_next_start_from_opening_changes_nothing() {
    let file = File::new(POLICY);
    let engine = open(&file.path);
    let store = |url: &str| format!("[store]\nurl = \"{url}\"\n{}", POLICY.replace('2', "9"));
    fs::write(&file.path, store("redis://h:99999")).unwrap();
    let found = engine.reload().unwrap_err();
    assert!(found.to_string().contains("tollgate.toml:2:8"), "{found}");
    assert_eq!(engine.generation(), 1);
    fs::write(&file.path, store("redis://h:6379")).unwrap();
    assert_eq!(engine.reload().unwrap().not_applied, ["url"]);
}

#[test]
fn an_error_that_main_returns_is_read_by_people() {
    let error = Engine::open(File::new("[[policy]]\nname = 1").path).unwrap_err();
    let (shown, of_main) = (format!("{error}"), format!("{error:?}"));
    assert_eq!(shown, of_main);
    assert!(shown.contains("\n2 | name = 1"), "{shown}");
}

#[test]
fn what_cannot_be_used_is_told_without_a_password() {
    let error = Engine::open(File::of_store("redis://:s3cret@h:port").path).unwrap_err();
    let EngineError::File(found) = &error else {
        panic!("{error}");
    };
    assert_eq!(found.errors(), 1);
    let text = format!("{error} {error:?}");
    assert!(
        text.contains("tollgate.toml:2:8") && !text.contains("s3cret"),
        "{text}"
    );

    let missing = Engine::open("there/is/none.toml").unwrap_err();
    assert!(
        missing.to_string().contains("there/is/none.toml"),
        "{missing}"
    );
}
