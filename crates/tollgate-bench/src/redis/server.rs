//! The server under measurement.

use anyhow::{Context, Result};
use redis::aio::MultiplexedConnection;
use tollgate_testkit::RedisServer;

/// A server of one's own.
#[derive(Debug)]
pub(super) struct Server {
    server: RedisServer,
}

/// What a server has used since it was started, in microseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Usage {
    /// Within calls of the script.
    pub(super) script: f64,
    /// Of the processor in all.
    pub(super) processor: f64,
}

impl Server {
    pub(super) fn start() -> Result<Self> {
        Ok(Self {
            server: RedisServer::start(),
        })
    }

    pub(super) fn port(&self) -> u16 {
        self.server.port()
    }

    pub(super) fn url(&self) -> String {
        self.server.url()
    }

    /// The digest of a script that the server then knows.
    pub(super) fn load(&self, script: &str) -> Result<String> {
        let mut connection = redis::Client::open(self.url())?.get_connection()?;
        let mut command = redis::cmd("SCRIPT");
        Ok(command.arg("LOAD").arg(script).query(&mut connection)?)
    }

    /// A connection as the client library makes it, but that writes are not held back.
    pub(super) async fn connect(&self) -> Result<MultiplexedConnection> {
        use redis::IntoConnectionInfo;

        let info = self.url().into_connection_info()?;
        let tcp = info.tcp_settings().clone().set_nodelay(true);
        let client = redis::Client::open(info.set_tcp_settings(tcp))?;
        Ok(client.get_multiplexed_async_connection().await?)
    }

    pub(super) async fn usage(&self) -> Result<Usage> {
        let mut connection = self.connect().await?;
        let mut info = redis::cmd("INFO");
        let info: String = info.arg("everything").query_async(&mut connection).await?;
        Usage::parse(&info).context("reading INFO")
    }
}

impl Usage {
    fn parse(info: &str) -> Option<Self> {
        let field = |name: &str| {
            let value = info.lines().find_map(|line| line.strip_prefix(name))?;
            value.trim().parse::<f64>().ok()
        };
        let calls = info
            .lines()
            .find_map(|line| line.strip_prefix("cmdstat_evalsha:"));
        let script = calls
            .into_iter()
            .flat_map(|calls| calls.split(','))
            .find_map(|field| field.strip_prefix("usec="))
            .map_or(Some(0.0), |microseconds| microseconds.parse().ok())?;
        let seconds = field("used_cpu_sys:")? + field("used_cpu_user:")?;
        Some(Self {
            script,
            processor: seconds * 1e6,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_a_server_has_used() {
        let info = "# CPU\r\nused_cpu_sys:1.5\r\nused_cpu_user:2.25\r\n\
                    cmdstat_evalsha:calls=3,usec=21,usec_per_call=7.00\r\n";
        let usage = Usage::parse(info).unwrap();
        assert_eq!((usage.script, usage.processor), (21.0, 3_750_000.0));
    }
}
