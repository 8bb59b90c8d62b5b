//! `redis-benchmark`, and what it prints.

use std::fmt::Write;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::server::Server;
use super::subject::{Case, script_call};

const REQUESTS: u32 = 200_000;

/// The script with one decision a call.
#[derive(Debug)]
pub(super) struct Benchmark {
    port: u16,
    digest: String,
    key: String,
}

impl Benchmark {
    pub(super) fn prepare(server: &Server) -> Result<Self> {
        // It replaces this in each request by a number below what `-r` says.
        let call = script_call(Case::ONE, "__rand_int__")?;
        // It cannot send zero bytes, so the argument, which does not change, stands in the script.
        let mut script = String::from("local ARGV = { \"");
        for byte in &call.argument {
            write!(script, "\\{byte:03}")?;
        }
        script.push_str("\" }\n");
        script.push_str(call.script);
        let [key] = <[String; 1]>::try_from(call.keys)
            .ok()
            .context("one limit has one key")?;
        Ok(Self {
            port: server.port(),
            digest: server.load(&script)?,
            key,
        })
    }

    /// Decisions a second, with so many requests in each pipeline.
    pub(super) fn run(&self, pipeline: u32) -> Result<f64> {
        let output = Command::new("redis-benchmark")
            .args(["-p", &self.port.to_string(), "-P", &pipeline.to_string()])
            .args(["-n", &REQUESTS.to_string(), "-r", "10000", "--csv"])
            .args(["evalsha", &self.digest, "1", &self.key])
            .output()
            .context("starting redis-benchmark: on Debian, `apt-get install redis-tools`")?;
        let text = String::from_utf8_lossy(&output.stdout);
        ensure!(output.status.success(), "redis-benchmark failed: {text}");
        rate(&text).with_context(|| format!("reading what redis-benchmark printed: {text}"))
    }
}

/// Requests a second, from what it prints with `--csv`: the last line's second field.
pub(crate) fn rate(csv: &str) -> Option<f64> {
    let line = csv.lines().last()?;
    // The first field may hold commas.
    let fields = line.rsplit_once("\",\"").map(|_| line.rsplit("\",\""))?;
    let fields: Vec<&str> = fields.collect();
    fields.iter().rev().nth(1)?.trim_matches('"').parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_rate() {
        let csv = "\"test\",\"rps\",\"avg_latency_ms\"\n\"evalsha a,b 1\",\"93632.96\",\"0.66\"\n";
        assert_eq!(rate(csv), Some(93_632.96));
        assert_eq!(rate("ERR nothing"), None);
    }
}
