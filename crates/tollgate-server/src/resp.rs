//! The Redis protocol: `CL.THROTTLE`, `TG.CHECK`, and what clients ask on their own.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tollgate_engine::Engine;

use crate::metrics::Surface;
use crate::net::{Peer, Protocol, Stream};

/// The surface of the Redis protocol.
pub(crate) struct Resp {
    _engine: Engine,
    _surface: Arc<Surface>,
}

impl Resp {
    pub(crate) const fn new(engine: Engine, surface: Arc<Surface>) -> Self {
        Self {
            _engine: engine,
            _surface: surface,
        }
    }
}

impl Protocol for Resp {
    const NAME: &'static str = "RESP";
    const IS_HTTP: bool = false;
    // The words of Redis itself, which clients know.
    const REFUSAL: &'static [u8] = b"-ERR max number of clients reached\r\n";

    async fn serve(self: Arc<Self>, _stream: Stream, _peer: Peer, drain: CancellationToken) {
        drain.cancelled().await;
    }
}
