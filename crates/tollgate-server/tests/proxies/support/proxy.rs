//! A proxy by its configuration in `deploy/`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tempfile::TempDir;
use tokio::time::{sleep, timeout};
use tollgate_testkit::redis::{Process, free_port};

use super::{Client, Programs, Service};

/// How often ports that looked free may be taken by another before the proxy has them.
const ATTEMPTS: usize = 8;

/// How a proxy is run, and what it can do.
#[derive(Clone, Copy)]
pub(crate) struct Recipe {
    /// Where its configuration is, in `deploy/`.
    pub(crate) folder: &'static str,
    /// What it says when it has begun.
    pub(crate) ready: &'static str,
    /// How it is run by the configuration in a folder.
    pub(crate) command: fn(&Path) -> Command,
    /// Who sees the fields of an admission.
    pub(crate) told: Told,
    /// Whether the service gets targets as they came.
    pub(crate) keeps_targets: bool,
    /// The status while the daemon does not answer, where requests are not let through.
    pub(crate) when_hung: u16,
    /// The status while there is no daemon, where requests are not let through.
    pub(crate) when_dead: u16,
}

/// Who sees the rate-limit fields of a request that is admitted.
#[derive(Clone, Copy)]
pub(crate) enum Told {
    /// The client, in its response.
    Client,
    /// The service, in the request.
    Service,
    Nobody,
}

/// A proxy between clients, a service and a daemon.
pub(crate) struct Proxy {
    pub(crate) service: Service,
    pub(crate) folder: TempDir,
    port: u16,
    _process: Process,
}

impl Proxy {
    /// One that asks at a port, when it serves.
    ///
    /// Its configuration is what is in `deploy/`, but for ports.
    pub(crate) async fn start(recipe: &Recipe, tollgate: u16) -> Self {
        let service = Service::start().await;
        for _ in 0..ATTEMPTS {
            let (clients, itself, admin) = (fresh_port(), fresh_port(), fresh_port());
            let folder = tempfile::tempdir().unwrap();
            let ports = [
                (":8000", clients),
                (":8001", itself),
                (":8080", service.port),
                (":7070", tollgate),
                (":2019", admin),
            ];
            copy(recipe.folder, folder.path(), ports);
            let command = (recipe.command)(folder.path());
            match Process::start(&command, recipe.ready, Programs::INSTALL) {
                Ok(process) => {
                    let proxy = Self {
                        service,
                        folder,
                        port: clients,
                        _process: process,
                    };
                    proxy.serves().await;
                    return proxy;
                }
                Err(said) if said.contains("already in use") => {}
                Err(said) => panic!("{} has ended: {said}", recipe.folder),
            }
        }
        panic!("{} found no free ports", recipe.folder)
    }

    /// A client; each number has an address of its own.
    pub(crate) const fn client(&self, number: u8) -> Client {
        Client::new(number, self.port)
    }

    /// Waits until a request arrives at the service.
    async fn serves(&self) {
        let client = self.client(254);
        let served = async {
            loop {
                match client.try_ask("GET", "/ready", &[], "").await {
                    Ok(answer) if answer.status == 200 => return,
                    // It tells nobody when it listens, and reads its routes later than that.
                    _ => sleep(Duration::from_millis(10)).await,
                }
            }
        };
        let served = timeout(Duration::from_secs(30), served).await;
        assert!(served.is_ok(), "nothing has arrived at the service");
    }
}

/// Copies the files of a folder in `deploy/`, with other ports.
fn copy<const N: usize>(from: &str, to: &Path, ports: [(&str, u16); N]) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../deploy")
        .join(from);
    for file in fs::read_dir(from).unwrap() {
        let path = file.unwrap().path();
        let mut text = fs::read_to_string(&path).unwrap();
        for (old, port) in ports {
            text = text.replace(old, &format!(":{port}"));
        }
        fs::write(to.join(path.file_name().unwrap()), text).unwrap();
    }
}

/// A free port that no other test of this process has got: some proxies would share it.
fn fresh_port() -> u16 {
    static TAKEN: Mutex<BTreeSet<u16>> = Mutex::new(BTreeSet::new());
    let mut taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        let port = free_port();
        if taken.insert(port) {
            return port;
        }
    }
}
