//! What `tollgate probe` can be told.

use std::time::Duration;

use clap::Args;
use tollgate_server::ListenAddress;

use super::duration;

/// Asks a daemon whether it is ready, for where there is no other client of HTTP.
///
/// Prints what it answers. Ends with 0 if it is ready, and with 1 if it is not, or does not answer.
/// It does not encrypt: of a daemon whose HTTP is, ask `--operations`.
#[derive(Debug, Args)]
#[command(name = "probe")]
pub(crate) struct Probe {
    /// Where it listens: as it is told with `--http` or `--operations`.
    #[arg(long, value_name = "ADDRESS", env = "TOLLGATE_PROBE")]
    pub(crate) address: Option<ListenAddress>,
    /// What is asked: `/readyz`, `/livez` or `/metrics`.
    #[arg(long, default_value = "/readyz", value_parser = path)]
    pub(crate) path: String,
    /// How long the answer may take.
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = duration::parse)]
    pub(crate) timeout: Duration,
}

fn path(text: &str) -> Result<String, String> {
    if text.starts_with('/') && text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Ok(text.to_owned());
    }
    Err("a path begins with `/`, and has no spaces".to_owned())
}
