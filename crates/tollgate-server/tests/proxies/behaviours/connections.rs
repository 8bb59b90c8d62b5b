//! A question does not cost a connection.

use crate::support::{Daemon, Proxy, Recipe, Relay};

const LIMIT: &str = "
[[policy]]
name = 'all'
key = ['client.ip']
limits = ['1000/min']
";

pub(crate) async fn keeps_its_connections(recipe: &Recipe) {
    let daemon = Daemon::start(LIMIT).await;
    let relay = Relay::start(daemon.port).await;
    let proxy = Proxy::start(recipe, relay.port).await;
    let client = proxy.client(1);
    client.get("/free").await.echo();
    let before = relay.connections();
    for _ in 0..20 {
        client.get("/free").await.echo();
    }
    assert_eq!(relay.connections(), before);
}
