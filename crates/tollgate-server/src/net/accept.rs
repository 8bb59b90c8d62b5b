//! From a listener to the threads that serve.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::{Listener, Peer, Stream, Workers};

/// How long to wait when the system has no more connections to give, as without free descriptors.
const EXHAUSTED: Duration = Duration::from_millis(50);

/// What is spoken on a connection.
pub(crate) trait Protocol: Send + Sync + 'static {
    /// What operators call it.
    const NAME: &'static str;

    /// Speaks on a connection until it ends. When `drain` is cancelled, what has been asked is
    /// answered, and nothing more is read.
    fn serve(
        self: Arc<Self>,
        stream: Stream,
        peer: Peer,
        drain: CancellationToken,
    ) -> impl Future<Output = ()> + Send;

    /// Tells a client that there are too many. What blocks is not waited for.
    fn refuse(stream: &Stream) {
        // Closing it is an answer in any protocol.
        let _ = stream;
    }
}

/// Accepts connections until `drain` is cancelled, and has each served by a worker.
pub(crate) async fn accept<P: Protocol>(
    listener: Listener,
    protocol: Arc<P>,
    max_connections: usize,
    workers: Arc<Workers>,
    drain: CancellationToken,
    connections: TaskTracker,
) {
    let places = Arc::new(Semaphore::new(
        max_connections.clamp(1, Semaphore::MAX_PERMITS),
    ));
    loop {
        let accepted = tokio::select! {
            biased;
            () = drain.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        let accepted = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(surface = P::NAME, %error, "a connection was not accepted");
                sleep(EXHAUSTED).await;
                continue;
            }
        };
        let place = Arc::clone(&places).try_acquire_owned();
        let (protocol, drain) = (Arc::clone(&protocol), drain.clone());
        workers.spawn(connections.track_future(async move {
            let peer = accepted.peer();
            let stream = match accepted.into_stream() {
                Ok(stream) => stream,
                Err(error) => {
                    tracing::warn!(surface = P::NAME, %error, "a connection cannot be served");
                    return;
                }
            };
            match place {
                Ok(_place) => protocol.serve(stream, peer, drain).await,
                Err(_) => P::refuse(&stream),
            }
        }));
    }
}
