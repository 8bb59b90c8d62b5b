//! `tollgate serve`.

use std::env::{self, VarError};
use std::fs;
use std::io::{IsTerminal, stderr};
use std::process::ExitCode;

use anyhow::Context;
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};
use tollgate_engine::{Engine, hangup_signal};
use tollgate_server::{AdminToken, Server, ServerSettings};
use tracing_subscriber::EnvFilter;

use crate::arguments::{LogFormat, Serve};

/// The variable that holds the admin token, if no file does.
const ADMIN_TOKEN: &str = "TOLLGATE_ADMIN_TOKEN";

pub(crate) fn run(arguments: &Serve) -> anyhow::Result<ExitCode> {
    log(arguments)?;
    let runtime = Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start a runtime")?;
    runtime.block_on(serve(arguments))
}

async fn serve(arguments: &Serve) -> anyhow::Result<ExitCode> {
    let hangup = hangup_signal().context("cannot handle signals")?;
    let stop = stop_signal().context("cannot handle signals")?;
    let engine = Engine::open(&arguments.policies)?;
    engine.log();
    let server = Server::bind(engine.clone(), settings(arguments)?).await?;
    let addresses = server.addresses();
    let shown = |address: Option<_>| address.map_or_else(|| "off".to_owned(), |it| format!("{it}"));
    tracing::info!(
        http = shown(addresses.http),
        grpc = shown(addresses.grpc),
        redis = shown(addresses.redis),
        "listening"
    );
    let watching = tokio::spawn(engine.keep_current(hangup));
    let all_ended = server.run(stop).await?;
    watching.abort();
    if !all_ended {
        tracing::warn!("connections were cut off: they did not end in time");
    }
    Ok(ExitCode::SUCCESS)
}

fn settings(arguments: &Serve) -> anyhow::Result<ServerSettings> {
    let mut settings = ServerSettings::default();
    settings.http = arguments.http.0.clone();
    settings.grpc = arguments.grpc.0.clone();
    settings.redis = arguments.redis.0.clone();
    if let Some(workers) = arguments.workers {
        settings.workers = workers.get();
    }
    settings.admin_token = admin_token(arguments)?;
    Ok(settings)
}

/// From the file, or else from its variable: an option would be seen in the list of processes.
fn admin_token(arguments: &Serve) -> anyhow::Result<Option<AdminToken>> {
    if let Some(path) = &arguments.admin_token_file {
        let shown = path.display();
        let text = fs::read_to_string(path)
            .with_context(|| format!("cannot read the admin token from {shown}"))?;
        let token = AdminToken::new(&text).with_context(|| format!("{shown} cannot be used"))?;
        return Ok(Some(token));
    }
    match env::var(ADMIN_TOKEN) {
        Ok(text) => {
            let token = AdminToken::new(&text);
            Ok(Some(token.with_context(|| {
                format!("{ADMIN_TOKEN} cannot be used")
            })?))
        }
        Err(VarError::NotPresent) => Ok(None),
        // Its bytes are not told.
        Err(VarError::NotUnicode(_)) => anyhow::bail!("{ADMIN_TOKEN} is not UTF-8"),
    }
}

/// Ready when the process is asked to end, by SIGTERM or by Ctrl-C.
fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

fn log(arguments: &Serve) -> anyhow::Result<()> {
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
