//! The service: read the environment, connect, serve until a signal.

use std::process::ExitCode;

use anyhow::Context;
use examples_common::program;
use taskflow::{AppState, Config, serve, server};
use tracing::field::display;

#[tokio::main]
async fn main() -> ExitCode {
    program::exit_code("taskflow", run().await)
}

async fn run() -> anyhow::Result<()> {
    let config = Config::from_env()?;
    program::log_to_stderr(&config.log)?;
    let stop = server::stop_signal().context("cannot handle signals")?;
    let state = AppState::connect(&config).await?;
    let listener = program::listen(config.listen).await?;
    let redis = config.redis.as_ref().map(display);
    tracing::info!(address = %listener.local_addr()?, database = %config.database, redis, "listening");
    serve(listener, state, stop)
        .await
        .context("the server failed")
}
