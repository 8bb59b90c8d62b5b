//! A proxy by its configuration in `deploy/`.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;
use tokio::time::{sleep, timeout};
use tollgate_testkit::redis::{Process, free_port};

use super::{BALANCER, Client, Programs, Service};

/// How often ports that looked free may be taken by another before the proxy has them.
const ATTEMPTS: usize = 8;

/// How many seconds a proxy waits for a daemon, in place of parts of one: on a busy machine that must
/// not say what requests get.
const PATIENCE: u8 = 30;

/// The same if the daemon hangs, which a test must wait for.
const BEARABLE: u8 = 1;

/// How a proxy is run, and what it can do.
#[derive(Clone, Copy)]
pub(crate) struct Recipe {
    /// Where its configuration is, in `deploy/`.
    pub(crate) folder: &'static str,
    /// What it says when it has begun.
    pub(crate) ready: &'static str,
    /// How it is run by the configuration in a folder.
    pub(crate) command: fn(&Path) -> Command,
    /// What its comments say to change behind a load balancer: what stands there, and what is to.
    pub(crate) behind_balancer: &'static [(&'static str, &'static str)],
    /// Who sees the fields of an admission.
    pub(crate) told: Told,
    /// Whether the service gets targets as they came.
    pub(crate) keeps_targets: bool,
    /// The status while the daemon does not answer, where requests are not let through.
    pub(crate) when_hung: u16,
    /// The status while there is no daemon, where requests are not let through.
    pub(crate) when_dead: u16,
    /// Whether such an answer says when to come back, and is not to be kept.
    pub(crate) says_when_to_return: bool,
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
    /// Its configuration is what is in `deploy/`, but for ports and for how long it waits.
    pub(crate) async fn start(recipe: &Recipe, tollgate: u16) -> Self {
        Self::run(recipe, tollgate, PATIENCE, &[]).await
    }

    /// The same of a daemon that is going to hang.
    pub(crate) async fn start_before_hanging(recipe: &Recipe, tollgate: u16) -> Self {
        Self::run(recipe, tollgate, BEARABLE, &[]).await
    }

    /// The same behind a load balancer, changed as the comments in the configuration say.
    pub(crate) async fn start_behind_balancer(recipe: &Recipe, tollgate: u16) -> Self {
        Self::run(recipe, tollgate, PATIENCE, recipe.behind_balancer).await
    }

    async fn run(recipe: &Recipe, tollgate: u16, patience: u8, changes: &[(&str, &str)]) -> Self {
        let service = Service::start().await;
        for _ in 0..ATTEMPTS {
            let (clients, itself, admin) = (free_port(), free_port(), free_port());
            let folder = tempfile::tempdir().unwrap();
            let ports = [
                (":8000", clients),
                (":8001", itself),
                (":8080", service.port),
                (":7070", tollgate),
                (":2019", admin),
            ];
            copy(recipe.folder, folder.path(), ports, changes);
            be_patient(folder.path(), patience);
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

    /// The load balancer before it.
    pub(crate) const fn balancer(&self) -> Client {
        Client::balancer(self.port)
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

/// Copies the files of a folder in `deploy/`, with other ports, and what is changed.
fn copy<const N: usize>(from: &str, to: &Path, ports: [(&str, u16); N], changes: &[(&str, &str)]) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../deploy")
        .join(from);
    let mut found = 0;
    for file in fs::read_dir(from).unwrap() {
        let path = file.unwrap().path();
        let mut text = fs::read_to_string(&path).unwrap();
        for (old, port) in ports {
            text = text.replace(old, &format!(":{port}"));
        }
        for (old, new) in changes {
            found += usize::from(text.contains(old));
            text = text.replace(old, &new.replace("192.0.2.1", &BALANCER.to_string()));
        }
        fs::write(to.join(path.file_name().unwrap()), text).unwrap();
    }
    assert!(found >= changes.len(), "not all of {changes:?} is there");
}

/// Replaces how long the daemon is waited for.
fn be_patient(folder: &Path, seconds: u8) {
    let patience = format!("{seconds}s");
    let times = [
        ("100ms", patience.as_str()),
        ("250ms", &patience),
        ("TIMEOUT = 0.25", &format!("TIMEOUT = {seconds}")),
    ];
    let mut is_patient = false;
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let patient = times
            .iter()
            .fold(text.clone(), |text, (old, new)| text.replace(old, new));
        is_patient |= patient != text;
        fs::write(path, patient).unwrap();
    }
    assert!(is_patient, "nothing says how long to wait");
}
