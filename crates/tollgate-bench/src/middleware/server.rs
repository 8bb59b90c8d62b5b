//! The servers: each a process of its own, tied to the second core, with a current-thread runtime.

use std::env;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use axum::Router;
use axum::routing::get;
use governor::middleware::NoOpMiddleware;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tollgate::MemoryStore;
use tollgate_http::{Headers, HttpLimiter, RateLimitLayer};
use tollgate_policy::{Policy, PolicyLimiter, PolicySet};
use tower_governor::GovernorLayer;
use tower_governor::governor::{GovernorConfig, GovernorConfigBuilder};
use tower_governor::key_extractor::PeerIpKeyExtractor;

use crate::{child, cores};

const HOUR: Duration = Duration::from_secs(3_600);

/// A running server; it ends when this is dropped.
#[derive(Debug)]
pub(super) struct Server {
    process: Child,
    address: SocketAddr,
}

impl Server {
    pub(super) fn start(variant: &str) -> Result<Self> {
        let mut process = Command::new(env::current_exe()?)
            .args([child::CHILD, "server", variant])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let stdout = process.stdout.take().context("it has no output")?;
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line)?;
        let address = line
            .trim()
            .parse()
            .with_context(|| format!("it printed {line:?} instead of its address"))?;
        Ok(Self { process, address })
    }

    pub(super) const fn address(&self) -> SocketAddr {
        self.address
    }

    /// How long it has run.
    pub(super) fn cpu_time(&self) -> Result<Duration> {
        let path = format!("/proc/{}/schedstat", self.process.id());
        let text = fs::read_to_string(&path).with_context(|| format!("reading {path}"))?;
        let nanos = text
            .split_whitespace()
            .next()
            .and_then(|nanos| nanos.parse().ok())
            .with_context(|| format!("{path} holds {text:?}"))?;
        Ok(Duration::from_nanos(nanos))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It ends by itself when its input does.
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

/// Serves `variant` until standard input ends, and prints the address first.
///
/// # Errors
///
/// If there is no such variant, or no port.
pub fn serve(variant: &str) -> Result<()> {
    cores::pin(1)?;
    let app = app(variant)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        writeln!(io::stdout().lock(), "{}", listener.local_addr()?)?;
        let service = app.into_make_service_with_connect_info::<SocketAddr>();
        let serving = tokio::spawn(async { axum::serve(listener, service).await });
        // Not graceful: nobody waits for an answer any more.
        let _ = end_of_input().await;
        serving.abort();
        Ok(())
    })
}

fn end_of_input() -> oneshot::Receiver<()> {
    let (ended, end) = oneshot::channel();
    thread::spawn(move || {
        let _ = io::stdin().read_to_end(&mut Vec::new());
        let _ = ended.send(());
    });
    end
}

/// The same route, and every request's peer address at hand, in all variants.
fn app(variant: &str) -> Result<Router> {
    let app = Router::new().route("/", get(async || "hello, world"));
    Ok(match variant {
        "bare" => app,
        "tollgate" => app.layer(tollgate("1000000000/s", Headers::none())?),
        "tollgate-headers" => app.layer(tollgate("1000000000/s", Headers::default())?),
        "tollgate-denied" => app.layer(tollgate("1/h", Headers::default())?),
        "tower-governor" => app.layer(GovernorLayer::new(
            plenty().finish().context("governor's limit")?,
        )),
        "tower-governor-headers" => app.layer(GovernorLayer::new(
            plenty()
                .use_headers()
                .finish()
                .context("governor's limit")?,
        )),
        "tower-governor-denied" => app.layer(GovernorLayer::new(one_an_hour()?)),
        _ => bail!("no server is called {variant:?}"),
    })
}

fn tollgate(limit: &str, headers: Headers) -> Result<RateLimitLayer> {
    let policy = Policy::builder("all")
        .path("/**")
        .key("client.ip")
        .limit(limit.parse()?)
        .build()?;
    let policies = PolicyLimiter::new(PolicySet::new([policy])?, MemoryStore::default());
    let limiter = HttpLimiter::builder(policies).headers(headers).build();
    Ok(RateLimitLayer::new(limiter))
}

type ByPeer = GovernorConfigBuilder<PeerIpKeyExtractor, NoOpMiddleware>;

/// 10^9 a second.
fn plenty() -> ByPeer {
    let mut builder = GovernorConfigBuilder::default();
    builder.per_nanosecond(1).burst_size(1_000_000_000);
    builder
}

fn one_an_hour() -> Result<GovernorConfig<PeerIpKeyExtractor, NoOpMiddleware>> {
    GovernorConfigBuilder::default()
        .period(HOUR)
        .burst_size(1)
        .finish()
        .context("governor's limit")
}
