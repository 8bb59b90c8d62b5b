//! The log of the daemon.

use std::io::{IsTerminal, stderr};

use anyhow::Context;
use tracing_subscriber::EnvFilter;

use crate::arguments::{LogFormat, Logging};

pub(super) fn install(arguments: &Logging) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(&arguments.log)
        .with_context(|| format!("--log {:?} is no filter", arguments.log))?;
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(stderr)
        .with_ansi(stderr().is_terminal());
    match arguments.log_format {
        LogFormat::Text => subscriber.init(),
        LogFormat::Json => subscriber.json().init(),
    }
    Ok(())
}
