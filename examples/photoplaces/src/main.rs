//! The service: read the environment and the limits, connect, serve until a signal.

use std::process::ExitCode;

use anyhow::Context;
use examples_common::program;
use photoplaces::metrics::{self, Metrics};
use photoplaces::{AppState, Clock, Config, RateLimits, app, rate_limit, serve, server};

#[tokio::main]
async fn main() -> ExitCode {
    program::exit_code("photoplaces", run().await)
}

async fn run() -> anyhow::Result<()> {
    let config = Config::from_env()?;
    program::log_to_stderr(&config.log)?;
    let stop = server::stop_signal().context("cannot handle signals")?;
    let hangup = rate_limit::hangup_signal().context("cannot handle signals")?;
    // Before anything is counted.
    let metrics = Metrics::install().context("cannot count")?;
    let limits = RateLimits::open(&config, &Clock::default())?;
    let state = AppState::connect(&config).await?;
    let app = app(state.clone(), &limits).merge(metrics::routes(metrics.clone(), limits.clone()));
    tokio::spawn(metrics.upkeep());
    tokio::spawn(limits.keep_current(hangup));
    let listener = program::listen(config.listen).await?;
    let (address, environment) = (listener.local_addr()?, config.environment);
    tracing::info!(%address, %environment, database = %config.database, "listening");
    serve(listener, state, app, stop)
        .await
        .context("the server failed")
}
