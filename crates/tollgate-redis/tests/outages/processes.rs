//! Several processes on one server: this program again, told what to do by its environment.

use std::env;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use tollgate::{Charge, Store};
use tollgate_redis::RedisStore;
use tollgate_testkit::given::limit;
use tollgate_testkit::redis::{Engine, RedisServer};

use crate::given::PATIENCE;

const PROCESSES: usize = 4;
const DECISIONS: usize = 50;

const URL: &str = "TOLLGATE_TEST_URL";
const PREFIX: &str = "TOLLGATE_TEST_PREFIX";
const LIMIT: &str = "TOLLGATE_TEST_LIMIT";

const READY: &str = "ready";
const ADMITTED: &str = "admitted ";

/// What a process of its own does: connects, says so, waits for a word, and decides in parallel.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "is run by another test, in processes of their own"]
async fn decides_in_parallel_when_told_to() {
    let Ok(url) = env::var(URL) else {
        return;
    };
    let prefix = env::var(PREFIX).unwrap();
    let limit = Arc::new(limit(&env::var(LIMIT).unwrap()));
    let store = RedisStore::open(&url).unwrap();
    let store = Arc::new(store.prefix(prefix).timeout(PATIENCE));
    store.connect().await.unwrap();
    println!("\n{READY}");
    let mut word = String::new();
    std::io::stdin().read_line(&mut word).unwrap();
    let mut tasks = Vec::new();
    for _ in 0..DECISIONS {
        let (store, limit) = (Arc::clone(&store), Arc::clone(&limit));
        tasks.push(tokio::spawn(async move {
            let charges = [Charge::new(&limit, "shared", 1)];
            store.decide(&charges).await.unwrap().is_allowed()
        }));
    }
    let mut admitted = 0;
    for task in tasks {
        admitted += u64::from(task.await.unwrap());
    }
    println!("\n{ADMITTED}{admitted}");
}

/// A process that is ready to decide.
struct Process {
    child: Child,
    output: BufReader<std::process::ChildStdout>,
}

impl Process {
    fn start(server: &RedisServer, prefix: &str, limit: &str) -> Self {
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--ignored", "--exact", "--nocapture"])
            .arg("processes::decides_in_parallel_when_told_to")
            .env(URL, server.url())
            .env(PREFIX, prefix)
            .env(LIMIT, limit)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, output }
    }

    /// The rest of the next line that begins so.
    fn line(&mut self, begin: &str) -> String {
        let mut said = String::new();
        for line in self.output.by_ref().lines().map_while(Result::ok) {
            if let Some(rest) = line.strip_prefix(begin) {
                return rest.to_owned();
            }
            said += &line;
            said.push('\n');
        }
        panic!("a process ended without a line with {begin:?}:\n{said}");
    }

    fn tell_to_begin(&mut self) {
        writeln!(self.child.stdin.as_ref().unwrap()).unwrap();
    }

    fn admitted(mut self) -> u64 {
        let admitted = self.line(ADMITTED).parse().unwrap();
        assert!(self.child.wait().unwrap().success());
        admitted
    }
}

// B77
#[test]
fn two_hundred_parallel_decisions_of_four_processes_admit_exactly_ten() {
    for engine in Engine::all() {
        let server = RedisServer::start_engine(engine);
        for limit in [
            "10/min fixed-window anchor first-request",
            // So long that no refill and no edge of a window comes in between.
            "10/366d",
            "10/366d fixed-window",
            "10/366d sliding-window",
            "10/366d sliding-log",
        ] {
            let prefix = RedisServer::fresh_prefix();
            let start = |_| Process::start(&server, &prefix, limit);
            let mut processes: Vec<_> = (0..PROCESSES).map(start).collect();
            for process in &mut processes {
                process.line(READY);
            }
            processes.iter_mut().for_each(Process::tell_to_begin);
            let admitted: u64 = processes.into_iter().map(Process::admitted).sum();
            assert_eq!(admitted, 10, "{} with {limit}", server.engine().name());
        }
    }
}
