//! From a listener to the threads that serve.

use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::backoff::Backoff;
use super::peers::Peers;
use super::refuse::{self, refuse};
use super::socket::{Accepted, Socket};
use super::{Certificates, Listener, Peer, Stream, Workers};
use crate::ServerSettings;
use crate::metrics::{Refusal, Surface};
use crate::seldom::Seldom;

/// What is spoken on a connection.
pub(crate) trait Protocol: Send + Sync + 'static {
    /// What operators call it: in the log as in metrics and options.
    const NAME: &'static str;

    /// True if it is HTTP of any version, which a client of TLS may choose from.
    const IS_HTTP: bool = true;

    /// What a client is told when there are too many connections, in as few bytes as a socket takes
    /// at once. It is told nothing where a handshake would come first.
    const REFUSAL: &'static [u8] = b"";

    /// Speaks on a connection until it ends. When `drain` is cancelled, what has been asked is
    /// answered, and nothing more is read.
    fn serve(
        self: Arc<Self>,
        stream: Stream,
        peer: Peer,
        drain: CancellationToken,
    ) -> impl Future<Output = ()> + Send;
}

/// A listener with all that a connection needs on its way to being served.
pub(crate) struct Door<P> {
    pub(crate) protocol: Arc<P>,
    pub(crate) surface: Arc<Surface>,
    pub(crate) certificates: Option<Certificates>,
    pub(crate) workers: Arc<Workers>,
    /// When it closes.
    pub(crate) closing: CancellationToken,
    /// When those inside are told to come to their end.
    pub(crate) drain: CancellationToken,
    pub(crate) connections: TaskTracker,
    places: Arc<Semaphore>,
    refusals: Arc<Semaphore>,
    /// Of those with whom no agreement was reached on encryption.
    not_encrypted: Arc<Seldom>,
    peers: Peers,
    idle: Duration,
    handshake: Duration,
}

impl<P: Protocol> Door<P> {
    /// What all doors have in common comes in `settings`.
    pub(crate) fn new(
        protocol: P,
        surface: Arc<Surface>,
        certificates: Option<Certificates>,
        workers: Arc<Workers>,
        settings: &ServerSettings,
    ) -> Self {
        let places = settings.max_connections.clamp(1, Semaphore::MAX_PERMITS);
        Self {
            protocol: Arc::new(protocol),
            surface,
            certificates,
            workers,
            closing: CancellationToken::new(),
            drain: CancellationToken::new(),
            connections: TaskTracker::new(),
            places: Arc::new(Semaphore::new(places)),
            refusals: Arc::new(Semaphore::new(refuse::MOST_AT_ONCE)),
            not_encrypted: Arc::new(Seldom::new()),
            peers: Peers::new(settings.max_connections_per_peer),
            idle: settings.idle_timeout,
            handshake: settings.handshake_timeout,
        }
    }

    /// Accepts connections until it closes, and has each served by a worker.
    pub(crate) async fn stand_open(&self, listener: Listener) {
        let mut backoff = Backoff::new(P::NAME);
        loop {
            let accepted = tokio::select! {
                biased;
                () = self.closing.cancelled() => break,
                accepted = listener.accept() => accepted,
            };
            match accepted {
                Ok(accepted) => {
                    backoff.succeeded();
                    self.admit(accepted);
                }
                Err(error) => {
                    self.surface.accept_failed();
                    tokio::select! {
                        () = self.closing.cancelled() => break,
                        () = backoff.failed(&error) => {}
                    }
                }
            }
        }
        for accepted in listener.finish() {
            self.admit(accepted);
        }
    }

    fn admit(&self, accepted: Accepted) {
        let peer = accepted.peer();
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            return self.refuse(accepted, Refusal::MaxConnections);
        };
        let Ok(place_of_peer) = self.peers.enter(peer) else {
            return self.refuse(accepted, Refusal::MaxConnectionsPerPeer);
        };
        let connected = self.surface.connected();
        let guest = Guest {
            protocol: Arc::clone(&self.protocol),
            surface: Arc::clone(&self.surface),
            certificates: self.certificates.clone(),
            not_encrypted: Arc::clone(&self.not_encrypted),
            idle: self.idle,
            handshake: self.handshake,
            drain: self.drain.clone(),
        };
        self.spawn(async move {
            if let Some(socket) = socket::<P>(accepted) {
                guest.serve(socket, peer).await;
            }
            drop((place, place_of_peer, connected));
        });
    }

    fn refuse(&self, accepted: Accepted, refusal: Refusal) {
        self.surface.refused(refusal);
        if P::REFUSAL.is_empty() || self.certificates.is_some() {
            return;
        }
        if let Ok(place) = Arc::clone(&self.refusals).try_acquire_owned() {
            self.spawn(async move {
                if let Some(socket) = socket::<P>(accepted) {
                    refuse(socket, P::REFUSAL).await;
                }
                drop(place);
            });
        }
    }

    fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        self.workers.spawn(self.connections.track_future(future));
    }
}

fn socket<P: Protocol>(accepted: Accepted) -> Option<Socket> {
    let socket = accepted.into_socket();
    socket
        .inspect_err(|error| {
            tracing::warn!(surface = P::NAME, %error, "a connection cannot be served");
        })
        .ok()
}

/// What one connection takes with it to its worker.
struct Guest<P> {
    protocol: Arc<P>,
    surface: Arc<Surface>,
    certificates: Option<Certificates>,
    not_encrypted: Arc<Seldom>,
    idle: Duration,
    handshake: Duration,
    drain: CancellationToken,
}

impl<P: Protocol> Guest<P> {
    async fn serve(self, socket: Socket, peer: Peer) {
        let stream = match &self.certificates {
            None => Stream::plain(socket, self.idle),
            Some(certificates) => {
                let encrypted = tokio::select! {
                    biased;
                    encrypted = self.encrypt(certificates, socket, peer) => encrypted,
                    // Nothing has been asked yet.
                    () = self.drain.cancelled() => return,
                };
                let Some(stream) = encrypted else { return };
                stream
            }
        };
        self.protocol.serve(stream, peer, self.drain).await;
    }

    async fn encrypt(
        &self,
        certificates: &Certificates,
        socket: Socket,
        peer: Peer,
    ) -> Option<Stream> {
        let handshake = certificates.acceptor(P::IS_HTTP).accept(socket);
        match timeout(self.handshake, handshake).await {
            Ok(Ok(stream)) => Some(Stream::tls(stream, self.idle)),
            Ok(Err(error)) => {
                self.surface.refused(Refusal::Handshake);
                self.tell_refused(&error, peer);
                None
            }
            Err(_) => {
                self.surface.refused(Refusal::HandshakeTimeout);
                None
            }
        }
    }

    /// Whoever sends nothing, as those who look whether somebody listens, is not worth a line.
    fn tell_refused(&self, error: &io::Error, peer: Peer) {
        if error.kind() != ErrorKind::InvalidData {
            tracing::debug!(surface = P::NAME, %error, "a client went before it was encrypted");
        } else if let Some(more) = self.not_encrypted.tell() {
            let peer = peer.address.map(|address| address.ip().to_string());
            tracing::warn!(
                surface = P::NAME,
                peer,
                %error,
                more,
                "a client was refused: no agreement was reached on encryption"
            );
        }
    }
}
