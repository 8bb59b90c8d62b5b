//! `tollgate serve`.

mod exports;
mod files;
mod log;
mod manager;
mod reload;
mod secrets;
mod settings;
mod unsettled;

use std::process::ExitCode;

use anyhow::Context;
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;
use tollgate_engine::{Engine, hangup_signal};
use tollgate_server::{Metrics, Server};

use crate::arguments::Serve;
use exports::Exports;
use log::Lines;
use manager::Manager;
use unsettled::Unsettled;

pub(crate) fn run(arguments: &Serve) -> anyhow::Result<ExitCode> {
    let log = log::install(&arguments.logging)?;
    let runtime = Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start a runtime")?;
    let ended = runtime.block_on(serve(arguments, log.clone()));
    // A file on a network that does not answer may still be read; nobody waits for it.
    runtime.shutdown_background();
    log.finish();
    ended
}

async fn serve(arguments: &Serve, log: Lines) -> anyhow::Result<ExitCode> {
    let hangup = hangup_signal().context("cannot handle signals")?;
    let stop = Stop::on_signals().context("cannot handle signals")?;
    let manager = Manager::from_environment();
    let (mut settings, secrets) = settings::of(arguments)?;
    let exports = Exports::read(arguments)?;
    // Before anything is counted.
    settings.metrics = Some(Metrics::install()?);
    let room = files::make_room(&mut settings);
    let engine = Engine::open(&arguments.policies)?;
    engine.log();
    let mut unsettled = Unsettled::default();
    unsettled.look(&engine);
    let server = Server::bind(engine.clone(), settings).await?;
    let server = exports.of(server);
    announce(&server);
    files::tell(room.as_ref());
    manager.say("READY=1");
    let certificates = server.certificates();
    let watched = reload::Watched {
        engine,
        certificates,
        secrets,
        unsettled,
        log,
    };
    let reloading = tokio::spawn(reload::keep_current(watched, hangup, manager.clone()));
    let stopping = async {
        stop.asked.cancelled().await;
        manager.say("STOPPING=1");
    };
    // Whether anything was cut off is in the log.
    server.run_until(stopping, stop.urgent.cancelled()).await?;
    reloading.abort();
    Ok(ExitCode::SUCCESS)
}

fn announce(server: &Server) {
    let addresses = server.addresses();
    let shown = |address: &Option<_>| {
        let address = address.as_ref();
        address.map_or_else(
            || "off".to_owned(),
            |it: &tollgate_server::ListenAddress| it.to_string(),
        )
    };
    tracing::info!(
        http = shown(&addresses.http),
        grpc = shown(&addresses.grpc),
        redis = shown(&addresses.redis),
        operations = shown(&addresses.operations),
        encrypted = settings::shown(&server.encrypted()),
        client_certificates = server.needs_client_certificates(),
        "listening"
    );
}

/// What signals ask for.
struct Stop {
    /// The end.
    asked: CancellationToken,
    /// The end without delay.
    urgent: CancellationToken,
}

impl Stop {
    /// SIGTERM is the service manager's, who has time; Ctrl-C is of somebody who sits there. Whoever
    /// asks twice has none either.
    fn on_signals() -> std::io::Result<Self> {
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        let stop = Self {
            asked: CancellationToken::new(),
            urgent: CancellationToken::new(),
        };
        let (asked, urgent) = (stop.asked.clone(), stop.urgent.clone());
        tokio::spawn(async move {
            loop {
                let is_urgent = tokio::select! {
                    _ = terminate.recv() => asked.is_cancelled(),
                    _ = interrupt.recv() => true,
                };
                if is_urgent {
                    urgent.cancel();
                }
                asked.cancel();
            }
        });
        Ok(stop)
    }
}
