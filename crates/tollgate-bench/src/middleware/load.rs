//! The load: `wrk`, and what it prints.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::process::Command;
use std::str::FromStr;

use anyhow::{Context, Result, bail, ensure};

/// What one run of `wrk` saw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Load {
    pub(crate) requests: u64,
    /// Requests a second.
    pub(crate) rate: f64,
    /// Answers with a status other than 2xx and 3xx.
    pub(crate) errors: u64,
}

/// Fails with the line that installs `wrk` if it is missing.
pub(super) fn require_wrk() -> Result<()> {
    match Command::new("wrk").arg("-v").output() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            bail!("wrk is not installed: on Debian, `apt-get install wrk`")
        }
        other => other.map(|_| ()).context("starting wrk"),
    }
}

impl Load {
    pub(super) fn put_on(server: SocketAddr, seconds: u32) -> Result<Self> {
        Self::with_arguments(&[&format!("http://{server}/")], seconds)
    }

    /// Runs `wrk` with 32 connections and what else it is to be told.
    pub(crate) fn with_arguments(arguments: &[&str], seconds: u32) -> Result<Self> {
        let output = Command::new("wrk")
            .args(["-t1", "-c32"])
            .arg(format!("-d{seconds}s"))
            .args(arguments)
            .output()
            .context("starting wrk")?;
        ensure!(
            output.status.success(),
            "wrk failed: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
        let text = String::from_utf8_lossy(&output.stdout);
        Self::parse(&text).with_context(|| format!("reading what wrk printed: {text}"))
    }

    fn parse(text: &str) -> Result<Self> {
        ensure!(
            !text.contains("Socket errors"),
            "some requests got no answer"
        );
        Ok(Self {
            requests: number(text, |line| line.split_once(" requests in ").map(|it| it.0))?
                .context("no number of requests")?,
            rate: number(text, |line| line.strip_prefix("Requests/sec:"))?.context("no rate")?,
            // wrk leaves the line out when there are none.
            errors: number(text, |line| line.strip_prefix("Non-2xx or 3xx responses:"))?
                .unwrap_or(0),
        })
    }
}

fn number<T>(text: &str, part: impl Fn(&str) -> Option<&str>) -> Result<Option<T>>
where
    T: FromStr<Err: std::error::Error + Send + Sync + 'static>,
{
    let Some(part) = text.lines().map(str::trim).find_map(part) else {
        return Ok(None);
    };
    let part = part.trim();
    let number = part
        .parse()
        .with_context(|| format!("{part:?} is not a number"))?;
    Ok(Some(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALLOWED: &str = "\
Running 3s test @ http://127.0.0.1:4000/
  1 threads and 32 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   219.18us   40.11us   1.90ms   89.51%
    Req/Sec   142.32k     3.06k  146.51k    80.00%
  424746 requests in 3.00s, 52.25MB read
Requests/sec: 141580.21
Transfer/sec:     17.42MB
";

    #[test]
    fn reads_requests_and_rate() {
        let expected = Load {
            requests: 424_746,
            rate: 141_580.21,
            errors: 0,
        };
        assert_eq!(Load::parse(ALLOWED).unwrap(), expected);
    }

    #[test]
    fn reads_answers_with_an_error_status() {
        let denied = ALLOWED.replace(
            "Requests/sec",
            "  Non-2xx or 3xx responses: 424746\nRequests/sec",
        );
        assert_eq!(Load::parse(&denied).unwrap().errors, 424_746);
    }

    #[test]
    fn refuses_a_run_with_broken_connections() {
        let broken = ALLOWED.replace("Requests/sec", "  Socket errors: connect 0\nRequests/sec");
        assert!(Load::parse(&broken).is_err());
    }
}
