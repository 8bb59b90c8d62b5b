//! What the daemon can be told.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use tollgate_server::{ListenAddress, SurfaceName};

use super::duration;

/// Answers proxies and programs in any language by one policy file.
///
/// It speaks HTTP (forward-auth for nginx, Traefik and Caddy; `/v1/check`), gRPC (Envoy's rate
/// limit service) and the Redis protocol (`CL.THROTTLE`, `TG.CHECK`), each where its option says;
/// `off` for nowhere. An address is `127.0.0.1:7070`, `[::1]:7070`, `unix:/path/to/socket`, or
/// `systemd:NAME` for a socket that the service manager passes.
///
/// The policy file and the certificates are looked at each second, and read at once on SIGHUP.
/// SIGTERM makes `/readyz` fail, goes on for `--drain-delay`, lets what has been asked be answered,
/// and ends. Ctrl-C, or another SIGTERM, leaves out the delay.
#[derive(Debug, Args)]
#[command(name = "serve")]
pub(crate) struct Serve {
    /// The policy file.
    #[arg(
        long,
        value_name = "FILE",
        default_value = "tollgate.toml",
        env = "TOLLGATE_POLICIES"
    )]
    pub(crate) policies: PathBuf,
    /// Where to speak HTTP.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7070", env = "TOLLGATE_HTTP", value_parser = listen)]
    pub(crate) http: Listen,
    /// Where to speak gRPC.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7071", env = "TOLLGATE_GRPC", value_parser = listen)]
    pub(crate) grpc: Listen,
    /// Where to speak the Redis protocol.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7072", env = "TOLLGATE_REDIS", value_parser = listen)]
    pub(crate) redis: Listen,
    /// Where else to answer `/livez`, `/readyz` and `/metrics`, never encrypted. They are part of
    /// HTTP, too.
    #[arg(long, value_name = "ADDRESS", default_value = "off", env = "TOLLGATE_OPERATIONS", value_parser = listen)]
    pub(crate) operations: Listen,
    /// Addresses have no option of this name, which many would try first.
    #[arg(long, hide = true, value_parser = no_port)]
    port: Option<String>,
    /// The file that holds the admin token, which may forget counts, read the policy file again, and
    /// see what is in force. The token can be in the variable `TOLLGATE_ADMIN_TOKEN` instead. With
    /// neither, nobody may.
    #[arg(long, value_name = "FILE", env = "TOLLGATE_ADMIN_TOKEN_FILE")]
    pub(crate) admin_token_file: Option<PathBuf>,
    /// The file that holds the password which clients of the Redis protocol must give. It can be in
    /// the variable `TOLLGATE_REDIS_PASSWORD` instead. With neither, they need none.
    #[arg(long, value_name = "FILE", env = "TOLLGATE_REDIS_PASSWORD_FILE")]
    pub(crate) redis_password_file: Option<PathBuf>,
    /// How many threads serve connections; one for each processor, unless said.
    #[arg(long, value_name = "N", env = "TOLLGATE_WORKERS")]
    pub(crate) workers: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(crate) encryption: Encryption,
    #[command(flatten)]
    pub(crate) bounds: Bounds,
    #[command(flatten)]
    pub(crate) ending: Ending,
    #[command(flatten)]
    pub(crate) exports: Exports,
    #[command(flatten)]
    pub(crate) logging: Logging,
}

/// How what comes over TCP is encrypted.
#[derive(Debug, Args)]
#[command(next_help_heading = "Encryption")]
pub(crate) struct Encryption {
    /// The certificate, and those that lead to its authority, in PEM; all that comes over TCP is
    /// encrypted then.
    #[arg(
        long,
        value_name = "FILE",
        requires = "tls_key",
        env = "TOLLGATE_TLS_CERT"
    )]
    pub(crate) tls_cert: Option<PathBuf>,
    /// Its private key, in PEM, without a passphrase.
    #[arg(
        long,
        value_name = "FILE",
        requires = "tls_cert",
        env = "TOLLGATE_TLS_KEY"
    )]
    pub(crate) tls_key: Option<PathBuf>,
    /// The authorities of the clients, in PEM; each client needs a certificate then.
    #[arg(
        long,
        value_name = "FILE",
        requires = "tls_cert",
        env = "TOLLGATE_TLS_CLIENT_CA"
    )]
    pub(crate) tls_client_ca: Option<PathBuf>,
    /// What is not encrypted nevertheless.
    #[arg(
        long,
        value_name = "SURFACES",
        value_delimiter = ',',
        value_enum,
        requires = "tls_cert",
        env = "TOLLGATE_TLS_EXCEPT"
    )]
    pub(crate) tls_except: Vec<Surface>,
}

/// What the daemon allows itself and others.
#[derive(Debug, Args)]
#[command(next_help_heading = "Bounds")]
pub(crate) struct Bounds {
    /// How many connections each listener has open; who comes then is told so.
    #[arg(
        long,
        value_name = "N",
        default_value = "10000",
        env = "TOLLGATE_MAX_CONNECTIONS"
    )]
    pub(crate) max_connections: NonZeroUsize,
    /// How many of them one address has, or one network of 64 bits with IPv6; no less than all,
    /// unless said.
    #[arg(long, value_name = "N", env = "TOLLGATE_MAX_CONNECTIONS_PER_PEER")]
    pub(crate) max_connections_per_peer: Option<NonZeroUsize>,
    /// How many requests each surface decides at the same time; who asks then is told to come
    /// back in a second.
    #[arg(
        long,
        value_name = "N",
        default_value = "10000",
        env = "TOLLGATE_MAX_REQUESTS"
    )]
    pub(crate) max_requests: NonZeroUsize,
    /// How many bytes HTTP and gRPC each keep of requests that have not ended, beside 64 KiB for
    /// each connection; who needs more is told to come back in a second.
    #[arg(
        long,
        value_name = "BYTES",
        default_value = "33554432",
        env = "TOLLGATE_MAX_REQUEST_MEMORY"
    )]
    pub(crate) max_request_memory: usize,
    /// The largest body of an HTTP request that is read, in bytes.
    #[arg(
        long,
        value_name = "BYTES",
        default_value = "65536",
        env = "TOLLGATE_MAX_BODY"
    )]
    pub(crate) max_body: NonZeroUsize,
    /// How long a connection may be on which nothing moves.
    #[arg(long, value_name = "TIME", default_value = "5m", env = "TOLLGATE_IDLE_TIMEOUT", value_parser = duration::parse_some)]
    pub(crate) idle_timeout: Duration,
    /// Who may connect to Unix sockets, as `chmod` has it: 660 for the user and the group. What the
    /// process's mask leaves, unless said.
    #[arg(long, value_name = "MODE", env = "TOLLGATE_UNIX_MODE", value_parser = mode)]
    pub(crate) unix_mode: Option<u32>,
    /// Lets other daemons of the same user listen on the same ports, so that the next can begin
    /// before this one ends. A port that is taken by mistake is no error then.
    #[arg(long, env = "TOLLGATE_REUSE_PORT")]
    pub(crate) reuse_port: bool,
}

/// How the daemon ends.
#[derive(Debug, Args)]
#[command(next_help_heading = "Ending")]
pub(crate) struct Ending {
    /// How long it goes on after SIGTERM, while `/readyz` says that it is leaving: as long as load
    /// balancers need to notice.
    #[arg(long, value_name = "TIME", default_value = "1s", env = "TOLLGATE_DRAIN_DELAY", value_parser = duration::parse)]
    pub(crate) drain_delay: Duration,
    /// How long what has begun may take to end after that.
    #[arg(long, value_name = "TIME", default_value = "10s", env = "TOLLGATE_DRAIN", value_parser = duration::parse)]
    pub(crate) drain: Duration,
}

/// What is told to collectors.
#[derive(Debug, Args)]
#[command(next_help_heading = "OpenTelemetry")]
pub(crate) struct Exports {
    /// Where to export metrics and spans by OTLP, such as `http://127.0.0.1:4318`. The variables of
    /// OpenTelemetry say the rest, and this too: `OTEL_EXPORTER_OTLP_ENDPOINT`, `…_PROTOCOL`,
    /// `…_HEADERS`, `OTEL_TRACES_SAMPLER` and so on. Nowhere, unless said.
    #[arg(
        long,
        value_name = "URL",
        hide_env_values = true,
        env = "TOLLGATE_OTLP_ENDPOINT"
    )]
    pub(crate) otlp_endpoint: Option<String>,
}

/// What is told meanwhile.
#[derive(Debug, Args)]
#[command(next_help_heading = "Log")]
pub(crate) struct Logging {
    /// What is logged: a level, or levels of modules. Of the libraries `h2` and `hyper`, which warn of
    /// what any client may do, only errors, unless they are named: `info,h2=debug`.
    #[arg(
        long,
        value_name = "FILTER",
        default_value = "info",
        env = "TOLLGATE_LOG"
    )]
    pub(crate) log: String,
    /// How it is logged, on standard error. Nothing waits for who reads it: what is not taken in time
    /// is dropped, and counted in a later line.
    #[arg(long, value_enum, default_value_t = LogFormat::Text, env = "TOLLGATE_LOG_FORMAT")]
    pub(crate) log_format: LogFormat,
}

/// A surface, where they are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Surface {
    /// HTTP.
    Http,
    /// gRPC.
    Grpc,
    /// The Redis protocol.
    Redis,
}

impl From<Surface> for SurfaceName {
    fn from(surface: Surface) -> Self {
        match surface {
            Surface::Http => Self::Http,
            Surface::Grpc => Self::Grpc,
            Surface::Redis => Self::Redis,
        }
    }
}

/// Who reads the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// People: words.
    Text,
    /// Programs: a JSON object a line.
    Json,
}

/// An address, or none.
#[derive(Clone, Debug)]
pub(crate) struct Listen(pub(crate) Option<ListenAddress>);

fn listen(text: &str) -> Result<Listen, String> {
    if text == "off" {
        return Ok(Listen(None));
    }
    match text.parse() {
        Ok(address) => Ok(Listen(Some(address))),
        Err(error) => Err(format!("{error}, or `off`")),
    }
}

fn no_port(_: &str) -> Result<String, String> {
    Err(
        "each protocol has an address of its own: `--http 127.0.0.1:8070`, `--grpc`, `--redis`"
            .to_owned(),
    )
}

fn mode(text: &str) -> Result<u32, String> {
    match u32::from_str_radix(text, 8) {
        Ok(mode) if mode <= 0o777 => Ok(mode),
        _ => Err("write up to three digits from 0 to 7, such as 660".to_owned()),
    }
}
