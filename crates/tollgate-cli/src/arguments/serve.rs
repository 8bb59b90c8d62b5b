//! What the daemon can be told.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tollgate_server::ListenAddress;

/// Answers proxies and programs in any language by one policy file.
///
/// It speaks HTTP (forward-auth for nginx, Traefik and Caddy; `/v1/check`), gRPC (Envoy's rate
/// limit service) and the Redis protocol (`CL.THROTTLE`, `TG.CHECK`), each where its option says;
/// `off` for nowhere.
///
/// The policy file is looked at each second, and read at once on SIGHUP. SIGTERM lets what has been
/// asked be answered, and ends.
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
    /// The file that holds the admin token, which may forget counts, read the policy file again, and
    /// see what is in force. The token can be in the variable `TOLLGATE_ADMIN_TOKEN` instead. With
    /// neither, nobody may.
    #[arg(long, value_name = "FILE", env = "TOLLGATE_ADMIN_TOKEN_FILE")]
    pub(crate) admin_token_file: Option<PathBuf>,
    /// How many threads serve connections; one for each processor, unless said.
    #[arg(long, value_name = "N", env = "TOLLGATE_WORKERS")]
    pub(crate) workers: Option<std::num::NonZeroUsize>,
    /// What is logged: a level, or levels of modules.
    #[arg(
        long,
        value_name = "FILTER",
        default_value = "info",
        env = "TOLLGATE_LOG"
    )]
    pub(crate) log: String,
    /// How it is logged, on standard error.
    #[arg(long, value_enum, default_value_t = LogFormat::Text, env = "TOLLGATE_LOG_FORMAT")]
    pub(crate) log_format: LogFormat,
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
