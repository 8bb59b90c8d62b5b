//! `tollgate probe`.

use std::io::{ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use tollgate_server::ListenAddress;

use crate::arguments::Probe;
use crate::output;
use crate::usage::UsageError;

/// The most that an answer may have.
const MOST: u64 = 4 << 20;

/// Where the options of the daemon say that it listens, in the order of asking.
const VARIABLES: [&str; 2] = ["TOLLGATE_OPERATIONS", "TOLLGATE_HTTP"];

pub(crate) fn run(arguments: &Probe) -> anyhow::Result<ExitCode> {
    let address = match &arguments.address {
        Some(address) => address.clone(),
        None => from_environment()?,
    };
    let timeout = arguments.timeout;
    let answer = match &address {
        ListenAddress::Tcp(address) => {
            let address = reachable(*address);
            let stream = TcpStream::connect_timeout(&address, timeout)
                .with_context(|| format!("nothing answers at {address}"))?;
            stream.set_read_timeout(Some(timeout))?;
            stream.set_write_timeout(Some(timeout))?;
            ask(stream, &arguments.path)
        }
        ListenAddress::Unix(path) => {
            let stream = UnixStream::connect(path)
                .with_context(|| format!("nothing answers at {address}"))?;
            stream.set_read_timeout(Some(timeout))?;
            stream.set_write_timeout(Some(timeout))?;
            ask(stream, &arguments.path)
        }
        other => {
            let told = format!("{other} cannot be asked; say with --address where its socket is");
            bail!(UsageError(told));
        }
    };
    let answer = answer.map_err(|error| told(error, &address, timeout))?;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.split(' ').nth(1).unwrap_or_default();
    if !head.starts_with("HTTP/1.") {
        bail!(
            "what listens at {address} does not speak HTTP, or encrypts it; ask --operations then"
        );
    }
    output::print(body)?;
    if status.starts_with('2') {
        return Ok(ExitCode::SUCCESS);
    }
    Ok(ExitCode::FAILURE)
}

fn from_environment() -> anyhow::Result<ListenAddress> {
    for name in VARIABLES {
        match std::env::var(name) {
            Ok(text) if text != "off" => {
                let address = text.parse();
                return address.map_err(|error| UsageError(format!("{name}: {error}")).into());
            }
            _ => {}
        }
    }
    Ok(ListenAddress::Tcp(SocketAddr::from((
        Ipv4Addr::LOCALHOST,
        7070,
    ))))
}

/// Who listens everywhere is found here, too.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

fn ask(mut stream: impl Read + Write, path: &str) -> std::io::Result<String> {
    let request = format!("GET {path} HTTP/1.1\r\nhost: tollgate\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    stream.take(MOST).read_to_end(&mut answer)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

fn told(error: std::io::Error, address: &ListenAddress, timeout: Duration) -> anyhow::Error {
    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) {
        return anyhow::anyhow!("{address} has not answered within {timeout:?}");
    }
    anyhow::Error::from(error).context(format!("{address} has not answered"))
}
