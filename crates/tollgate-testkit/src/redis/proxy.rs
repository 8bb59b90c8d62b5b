//! A network that fails: what stands between a client and a server.

mod link;

use std::io;
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::ports::{ATTEMPTS, free_port};
use super::server::RedisServer;
use link::{Direction, Links};

/// Passes connections on to a server, until it is told otherwise.
///
/// No bytes get lost on a connection, as with TCP: what is held arrives late, after
/// [`Self::pass`], or never, after [`Self::cut`].
#[derive(Debug)]
pub struct Proxy {
    port: u16,
    server: u16,
    url: String,
    links: Arc<Links>,
    door: Mutex<Option<Door>>,
}

/// What accepts connections, while there is one.
#[derive(Debug)]
struct Door {
    thread: JoinHandle<()>,
    closed: Arc<AtomicBool>,
}

impl Proxy {
    /// A proxy on a free port of the loopback address, which passes everything on to this server.
    ///
    /// # Panics
    ///
    /// If there is no free port.
    #[must_use]
    pub fn to(server: &RedisServer) -> Self {
        let (listener, port) = (0..ATTEMPTS)
            .find_map(|_| {
                let port = free_port();
                listen(port).ok().map(|listener| (listener, port))
            })
            .expect("a free port of the loopback address");
        let own = format!(":{port}");
        let this = Self {
            port,
            server: server.port(),
            url: server.url().replace(&format!(":{}", server.port()), &own),
            links: Arc::default(),
            door: Mutex::default(),
        };
        this.open_door(listener);
        this
    }

    /// The port at which the proxy is.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// The server's address with the proxy's port.
    #[must_use]
    pub fn url(&self) -> String {
        self.url.clone()
    }

    /// Passes everything on, first what was held.
    pub fn pass(&self) {
        self.links.hold(None);
    }

    /// From now on requests reach the server, and its replies do not reach the client.
    pub fn hold_replies(&self) {
        self.links.hold(Some(Direction::Replies));
    }

    /// From now on requests do not reach the server. Replies to earlier ones reach the client.
    pub fn hold_requests(&self) {
        self.links.hold(Some(Direction::Requests));
    }

    /// From now on each piece of a request takes so long to the server, and a connection carries
    /// one piece at a time. Zero ends that, for pieces that come later.
    pub fn delay_requests(&self, delay: Duration) {
        self.links.delay(delay);
    }

    /// Closes all connections on both sides; what was held is lost. New ones are accepted.
    pub fn cut(&self) {
        self.links.cut();
    }

    /// From now on new connections are refused, as by a host at which nobody listens; those that
    /// there are remain.
    pub fn refuse(&self) {
        let door = self.door().take();
        if let Some(Door { thread, closed }) = door {
            closed.store(true, Ordering::SeqCst);
            // It waits for somebody to come in. If that fails, it has gone already.
            let _ = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port));
            thread
                .join()
                .expect("whoever accepts connections does not panic");
        }
    }

    /// Accepts new connections again.
    ///
    /// # Panics
    ///
    /// If another has taken the port meanwhile.
    pub fn accept(&self) {
        if self.door().is_none() {
            self.open_door(listen(self.port).expect("the proxy's port is still free"));
        }
    }

    /// How many connections have been accepted since the beginning, also while the server was not
    /// there.
    #[must_use]
    pub fn accepted(&self) -> usize {
        self.links.accepted()
    }

    /// How many connections are open now.
    #[must_use]
    pub fn open(&self) -> usize {
        self.links.open()
    }

    fn open_door(&self, listener: TcpListener) {
        let closed = Arc::new(AtomicBool::new(false));
        let (links, server) = (Arc::clone(&self.links), self.server);
        let is_closed = Arc::clone(&closed);
        let thread = thread::spawn(move || {
            for client in listener.incoming() {
                if is_closed.load(Ordering::SeqCst) {
                    break;
                }
                if let Ok(client) = client {
                    links.count();
                    join(&links, &client, server);
                }
            }
        });
        *self.door() = Some(Door { thread, closed });
    }

    fn door(&self) -> MutexGuard<'_, Option<Door>> {
        self.door.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.refuse();
        self.cut();
    }
}

fn listen(port: u16) -> io::Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port))
}

/// Joins a client with the server; a client whose server is not there is sent away.
fn join(links: &Arc<Links>, client: &TcpStream, server: u16) {
    let server = TcpStream::connect((Ipv4Addr::LOCALHOST, server));
    if server
        .and_then(|server| Links::add(links, client, &server))
        .is_err()
    {
        // It may have gone by itself.
        let _ = client.shutdown(Shutdown::Both);
    }
}
