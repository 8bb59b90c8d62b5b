//! The service: read the environment and the limits, connect, serve until a signal.

use std::io::{IsTerminal, Write, stderr};
use std::process::ExitCode;

use anyhow::Context;
use photoplaces::{AppState, Clock, Config, Metrics, RateLimits, app, rate_limit, serve, server};
use tokio::net::TcpListener;
use tracing_subscriber::EnvFilter;

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If standard error is gone, there is nobody left to tell.
            let _ = writeln!(stderr(), "photoplaces: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> anyhow::Result<()> {
    let config = Config::from_env()?;
    tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::try_new(&config.log)?)
        .with_writer(stderr)
        .with_ansi(stderr().is_terminal())
        .init();
    let stop = server::stop_signal().context("cannot handle signals")?;
    let hangup = rate_limit::hangup_signal().context("cannot handle signals")?;
    // Before anything is counted.
    let metrics = Metrics::install().context("cannot count")?;
    let limits = RateLimits::open(&config, &Clock::default())?;
    let state = AppState::connect(&config).await?;
    let app = app(state.clone(), &limits).merge(metrics.routes(limits.clone()));
    tokio::spawn(metrics.upkeep());
    tokio::spawn(limits.keep_current(hangup));
    let listener = TcpListener::bind(config.listen).await.with_context(|| {
        format!(
            "cannot listen on {}; set APP_HOST and APP_PORT to an address that is free",
            config.listen
        )
    })?;
    let (address, environment) = (listener.local_addr()?, config.environment);
    tracing::info!(%address, %environment, database = %config.database, "listening");
    serve(listener, state, app, stop)
        .await
        .context("the server failed")
}
