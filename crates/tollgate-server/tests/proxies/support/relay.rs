//! A wire to the daemon that counts its connections.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};

/// Passes everything on to a port.
pub(crate) struct Relay {
    pub(crate) port: u16,
    connections: Arc<AtomicUsize>,
}

impl Relay {
    pub(crate) async fn start(to: u16) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let connections = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&connections);
        tokio::spawn(async move {
            while let Ok((mut near, _)) = listener.accept().await {
                counter.fetch_add(1, Ordering::Relaxed);
                tokio::spawn(async move {
                    let mut far = TcpStream::connect((Ipv4Addr::LOCALHOST, to)).await?;
                    copy_bidirectional(&mut near, &mut far).await
                });
            }
        });
        Self { port, connections }
    }

    /// How many there were so far.
    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::Relaxed)
    }
}
