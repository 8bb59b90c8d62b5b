//! The programs that make load, and what they print.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Stdio};
use std::str::FromStr;

use anyhow::{Context, Result, ensure};

use super::grpc;
use super::rounds::Load;
use crate::middleware::Load as Wrk;

/// Each program, an argument with which it does nothing, and the package of Debian that has it.
const TOOLS: [(&str, &str, &str); 4] = [
    ("wrk", "-v", "wrk"),
    ("h2load", "--version", "nghttp2-client"),
    ("redis-benchmark", "--version", "redis-tools"),
    ("redis-server", "--version", "redis-server"),
];

/// Names all that is missing, and how it is installed.
pub(super) fn require() -> Result<()> {
    let mut missing = Vec::new();
    for (program, idle, package) in TOOLS {
        let run = Command::new(program)
            .arg(idle)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        if matches!(&run, Err(error) if error.kind() == ErrorKind::NotFound) {
            missing.push(package);
        }
    }
    ensure!(
        missing.is_empty(),
        "programs are missing: on Debian, `apt-get install {}`",
        missing.join(" ")
    );
    Ok(())
}

/// `redis-benchmark` with 50 connections and 100 thousand keys.
pub(super) fn redis_benchmark(
    port: u16,
    pipeline: u32,
    requests: u64,
    command: &[&str],
) -> Result<Load> {
    let output = Command::new("redis-benchmark")
        .args(["-p", &port.to_string(), "-P", &pipeline.to_string()])
        .args(["-c", "50", "-r", "100000", "-n", &requests.to_string()])
        .arg("--csv")
        .args(command)
        .output()
        .context("starting redis-benchmark")?;
    let text = String::from_utf8_lossy(&output.stdout);
    // It warns of a server without settings, which the daemon is.
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.success() && !said.contains("rror"),
        "redis-benchmark failed: {text}{said}"
    );
    let rate = crate::redis::rate(&text);
    Ok(Load {
        requests,
        rate: rate.with_context(|| format!("reading what redis-benchmark printed: {text}"))?,
    })
}

/// `h2load` with one prepared request, again and again.
pub(super) fn h2load(
    port: u16,
    message: &Path,
    connections: u32,
    streams: u32,
    seconds: u32,
) -> Result<Load> {
    let output = Command::new("h2load")
        .args(["-t", "1", "-D", &seconds.to_string()])
        .args(["-c", &connections.to_string(), "-m", &streams.to_string()])
        .arg("-d")
        .arg(message)
        .args(["-H", "content-type: application/grpc", "-H", "te: trailers"])
        .arg(format!("http://127.0.0.1:{port}{}", grpc::PATH))
        .output()
        .context("starting h2load")?;
    let text = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success(), "h2load failed: {text}");
    of_h2load(&text).with_context(|| format!("reading what h2load printed: {text}"))
}

fn of_h2load(text: &str) -> Result<Load> {
    let after = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
    let finished = after("finished in ").context("no rate")?;
    let rate = finished
        .split(", ")
        .find_map(|it| it.strip_suffix(" req/s"));
    let requests = after("requests: ").context("no number of requests")?;
    let count = |what: &str| {
        let mut counts = requests.split(", ").map(str::trim);
        counts.find_map(|it| it.strip_suffix(what)?.trim().parse::<u64>().ok())
    };
    let statuses = after("status codes: ").context("no statuses")?;
    ensure!(count("failed") == Some(0), "some requests got no answer");
    ensure!(
        statuses.contains(" 0 3xx, 0 4xx, 0 5xx"),
        "some answers are errors"
    );
    Ok(Load {
        requests: count("done").context("no number of requests")?,
        rate: f64::from_str(rate.context("no rate")?)?,
    })
}

/// `wrk` with 32 connections, which post the same bodies in turn.
pub(super) fn wrk(port: u16, script: &Path, seconds: u32) -> Result<Load> {
    let script = script.to_str().context("the script's path is not text")?;
    let url = format!("http://127.0.0.1:{port}/v1/check");
    let load = Wrk::with_arguments(&["-s", script, &url], seconds)?;
    ensure!(load.errors == 0, "some answers are errors");
    Ok(Load {
        requests: load.requests,
        rate: load.rate,
    })
}

/// A script for [`wrk`] that posts to `/v1/check`.
pub(super) fn write_wrk_script(path: &Path, bodies: &[String]) -> Result<()> {
    let mut script = String::from(
        "wrk.method = 'POST'\nwrk.headers['content-type'] = 'application/json'\n\
         local requests, n, i = {}, 0, 0\nlocal bodies = {\n",
    );
    for body in bodies {
        script.push_str(&format!("  '{body}',\n"));
    }
    // Formatted once, so that the load costs little.
    script.push_str(
        "}\nfunction init()\n  for k, body in ipairs(bodies) do\n\
         \x20   requests[k] = wrk.format(nil, nil, nil, body)\n    n = k\n  end\nend\n\
         function request()\n  i = i % n + 1\n  return requests[i]\nend\n",
    );
    fs::write(path, script).context("writing a script for wrk")
}

#[cfg(test)]
mod tests {
    use super::*;

    const H2LOAD: &str = "\
starting benchmark...
finished in 3.00s, 93341.33 req/s, 5.12MB/s
requests: 280024 total, 280056 started, 280024 done, 280024 succeeded, 0 failed, 0 errored, 0 timeout
status codes: 280024 2xx, 0 3xx, 0 4xx, 0 5xx
traffic: 15.36MB (16109696) total, 1.2MB (1) headers (space savings 90.00%), 1.3MB (1) data
";

    #[test]
    fn reads_what_h2load_prints() {
        let load = of_h2load(H2LOAD).unwrap();
        assert_eq!((load.requests, load.rate), (280_024, 93_341.33));
    }

    #[test]
    fn refuses_errors_of_h2load() {
        let failed = H2LOAD.replace(" 0 failed", " 1 failed");
        assert!(of_h2load(&failed).is_err());
        let refused = H2LOAD.replace("0 5xx", "1 5xx");
        assert!(of_h2load(&refused).is_err());
    }
}
