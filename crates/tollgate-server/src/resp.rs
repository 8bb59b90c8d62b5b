//! The Redis protocol: `CL.THROTTLE`, `TG.CHECK`, and what clients ask on their own.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tollgate_engine::Engine;

use crate::net::{Peer, Protocol, Stream};

/// The surface of the Redis protocol.
pub(crate) struct Resp {
    _engine: Engine,
}

impl Resp {
    pub(crate) const fn new(engine: Engine) -> Self {
        Self { _engine: engine }
    }
}

impl Protocol for Resp {
    const NAME: &'static str = "RESP";

    async fn serve(self: Arc<Self>, _stream: Stream, _peer: Peer, drain: CancellationToken) {
        drain.cancelled().await;
    }
}
