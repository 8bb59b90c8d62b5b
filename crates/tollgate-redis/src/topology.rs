//! How the servers of a store hang together, and so to which of them a call goes.

mod ask;
mod cluster;
mod search;
mod sentinel;
mod slot;
pub(crate) mod spread;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use redis::{ConnectionAddr, ConnectionInfo};
use tollgate::{Charge, StoreError};

use crate::call::Call;
use crate::error::UrlError;
use crate::node::Node;
use crate::url::{Endpoint, Place, Target};
use cluster::Cluster;
use sentinel::Sentinel;
use spread::Owned;

/// The servers of a store.
pub(crate) enum Topology {
    Server(Box<Node>),
    Sentinel(Arc<Sentinel>),
    Cluster(Arc<Cluster>),
}

impl Topology {
    /// Nothing is sent. `tls` is an address that knows the certificates to use, if there are any.
    /// An attempt to connect may take `connect_timeout`.
    pub(crate) fn new(
        target: &Target,
        tls: Option<&ConnectionAddr>,
        connect_timeout: Duration,
    ) -> Result<Self, UrlError> {
        Ok(match &target.place {
            Place::Server(endpoint) => server(target.data_server(endpoint, tls)?, connect_timeout)?,
            Place::Socket(path) => server(target.data_socket(path)?, connect_timeout)?,
            Place::Sentinel { sentinels, master } => {
                let sentinel = Sentinel::new(target, tls, (sentinels, master), connect_timeout);
                Self::Sentinel(Arc::new(sentinel))
            }
            Place::Cluster(seeds) => {
                Self::Cluster(Arc::new(Cluster::new(target, tls, seeds, connect_timeout)))
            }
        })
    }

    pub(crate) async fn connect(&self) -> Result<(), StoreError> {
        match self {
            Self::Server(node) => node.connect().await,
            Self::Sentinel(sentinel) => sentinel.connect().await,
            Self::Cluster(cluster) => cluster.connect().await,
        }
    }

    /// Runs the script at the server that has the keys of the call, all of which are in one slot.
    pub(crate) async fn call(
        &self,
        call: &Call,
        timeout: Duration,
    ) -> Result<Vec<u64>, StoreError> {
        match self {
            Self::Server(node) => node.call(call, timeout).await.map_err(|error| error.error),
            Self::Sentinel(sentinel) => sentinel.call(call, timeout).await,
            Self::Cluster(cluster) => cluster.call(call, timeout).await,
        }
    }

    /// The charges by their slots, if they are in several: no call can decide them all.
    pub(crate) fn spread(&self, charges: &[Charge<'_>], prefix: &str) -> Option<Vec<Owned>> {
        match self {
            Self::Cluster(_) if charges.len() > 1 => spread::own(charges, prefix, slot::slot),
            _ => None,
        }
    }
}

fn server(info: ConnectionInfo, connect_timeout: Duration) -> Result<Topology, UrlError> {
    let mut node = Node::new(info)?;
    node.set_connect_timeout(connect_timeout);
    Ok(Topology::Server(Box::new(node)))
}

/// Where the servers of a target are, without secrets.
pub(crate) struct Where<'a>(pub(crate) &'a Target);

impl fmt::Display for Where<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.place {
            Place::Server(endpoint) => endpoint.fmt(f),
            Place::Socket(path) => path.display().fmt(f),
            Place::Sentinel { sentinels, master } => {
                write!(f, "{master} of the sentinels ")?;
                list(f, sentinels)
            }
            Place::Cluster(seeds) => {
                f.write_str("the cluster of ")?;
                list(f, seeds)
            }
        }
    }
}

fn list(f: &mut fmt::Formatter<'_>, endpoints: &[Endpoint]) -> fmt::Result {
    for (position, endpoint) in endpoints.iter().enumerate() {
        let comma = if position == 0 { "" } else { "," };
        write!(f, "{comma}{endpoint}")?;
    }
    Ok(())
}
