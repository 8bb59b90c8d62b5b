//! How a server is to be.

use super::certificates::{Certificates, ClientCertificates};
use super::directory::Directory;
use super::engine::Engine;
use super::ports::{ATTEMPTS, free_port};
use super::server::RedisServer;

/// The options of a [`RedisServer`].
#[derive(Clone, Debug)]
#[must_use = "a builder starts nothing by itself"]
pub struct RedisServerBuilder {
    pub(super) engine: Engine,
    pub(super) password: Option<String>,
    pub(super) certificates: Option<Certificates>,
    pub(super) settings: Vec<(String, String)>,
}

impl RedisServerBuilder {
    pub(super) fn new() -> Self {
        Self {
            engine: Engine::redis_7(),
            password: None,
            certificates: None,
            settings: Vec::new(),
        }
    }

    /// Which server. Without it, Debian's Redis.
    pub fn engine(mut self, engine: Engine) -> Self {
        self.engine = engine;
        self
    }

    /// The password of the default user, of letters and digits. A replica names it to its master
    /// too. Without it there is none.
    pub fn password(mut self, password: &str) -> Self {
        self.password = Some(password.into());
        self.config("requirepass", password)
            .config("masterauth", password)
    }

    /// What the server may hold, in bytes. What it does beyond that, is `maxmemory-policy`: by
    /// itself, it refuses to write. Without this there is no bound.
    pub fn max_memory(self, bytes: u64) -> Self {
        self.config("maxmemory", &bytes.to_string())
    }

    /// The server speaks TLS only, also as a node of a cluster and as a replica. Only Redis 7, as in
    /// Debian, can; sentinels cannot here.
    pub fn tls(mut self, certificates: &Certificates, clients: ClientCertificates) -> Self {
        self.certificates = Some(certificates.clone());
        // The server's directory is another, so the paths are whole.
        [
            ("tls-ca-cert-file", certificates.authority()),
            ("tls-cert-file", certificates.server_certificate()),
            ("tls-key-file", certificates.server_key()),
        ]
        .iter()
        .fold(self, |this, (name, file)| {
            this.config(name, &file.path().to_string_lossy())
        })
        .config("tls-auth-clients", clients.setting())
        .config("tls-replication", "yes")
        .config("tls-cluster", "yes")
    }

    /// A setting of the server's configuration, as in its file.
    pub fn config(mut self, name: &str, value: &str) -> Self {
        self.settings.push((name.into(), value.into()));
        self
    }

    /// Settings that others may override.
    pub(super) fn config_before(mut self, settings: &[(&str, &str)]) -> Self {
        let settings = settings.iter();
        let settings = settings.map(|(name, value)| ((*name).into(), (*value).into()));
        self.settings.splice(0..0, settings);
        self
    }

    /// Starts the server, and waits until it accepts connections.
    ///
    /// # Panics
    ///
    /// If there is no such program, or it does not start.
    #[must_use]
    pub fn start(&self) -> RedisServer {
        let directory = Directory::new();
        for _ in 0..ATTEMPTS {
            let port = free_port();
            match RedisServer::run(self, port, &directory) {
                Ok(process) => return RedisServer::new(self.clone(), process, port, directory),
                Err(said) if said.contains("Address already in use") => {}
                Err(said) => panic!("{} does not start:\n{said}", self.engine.name()),
            }
        }
        panic!(
            "{} found none of {ATTEMPTS} free ports free",
            self.engine.name()
        );
    }
}
