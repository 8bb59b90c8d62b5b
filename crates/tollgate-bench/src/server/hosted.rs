//! The daemon's library in this program, so that its runtime can be another one.

use std::path::Path;

use anyhow::{Result, bail};
use tokio::runtime::Builder;
use tollgate_engine::Engine;
use tollgate_server::{ListenAddress, Metrics, Server, ServerSettings};

/// Serves until it is killed: with a runtime for `each` core, or `one` of as many threads.
///
/// # Errors
///
/// If there is no such shape, or the daemon does not begin.
pub fn serve(shape: &str, policies: &str, ports: [&str; 3]) -> Result<()> {
    let mut settings = ServerSettings::default();
    let address = |port: &str| -> Result<Option<ListenAddress>> {
        Ok(Some(format!("127.0.0.1:{port}").parse()?))
    };
    settings.http = address(ports[0])?;
    settings.grpc = address(ports[1])?;
    settings.redis = address(ports[2])?;
    settings.metrics = Some(Metrics::install()?);
    let runtime = match shape {
        "each" => Builder::new_current_thread().enable_all().build()?,
        "one" => {
            settings.workers = 0;
            Builder::new_multi_thread().enable_all().build()?
        }
        _ => bail!("no shape is called {shape:?}"),
    };
    runtime.block_on(async {
        let engine = Engine::open(Path::new(policies))?;
        let server = Server::bind(engine, settings).await?;
        // The accept loops are where the command has them.
        server.run(std::future::pending()).await?;
        Ok(())
    })
}
