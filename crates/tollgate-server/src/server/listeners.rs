//! The sockets of all surfaces.

use super::Addresses;
use crate::net::{BindOptions, Inherited, Listener};
use crate::{ListenAddress, ServerError, ServerSettings};

/// Sockets that are listened on.
pub(super) struct Listeners {
    pub(super) http: Option<Listener>,
    pub(super) grpc: Option<Listener>,
    pub(super) redis: Option<Listener>,
    pub(super) operations: Option<Listener>,
}

impl Listeners {
    pub(super) async fn bind(settings: &ServerSettings) -> Result<Self, ServerError> {
        let mut binder = Binder {
            options: BindOptions {
                reuse_port: settings.reuse_port,
                unix_mode: settings.unix_mode,
            },
            inherited: None,
        };
        if settings.http.is_none() && settings.grpc.is_none() && settings.redis.is_none() {
            return Err(ServerError::NoListener);
        }
        Ok(Self {
            http: binder.listen("HTTP", settings.http.as_ref()).await?,
            grpc: binder.listen("gRPC", settings.grpc.as_ref()).await?,
            redis: binder
                .listen("the Redis protocol", settings.redis.as_ref())
                .await?,
            operations: binder
                .listen("operations", settings.operations.as_ref())
                .await?,
        })
    }

    pub(super) fn addresses(&self) -> Addresses {
        let address = |listener: &Option<Listener>| listener.as_ref()?.address().ok();
        Addresses {
            http: address(&self.http),
            grpc: address(&self.grpc),
            redis: address(&self.redis),
            operations: address(&self.operations),
        }
    }
}

struct Binder {
    options: BindOptions,
    inherited: Option<Inherited>,
}

impl Binder {
    async fn listen(
        &mut self,
        surface: &'static str,
        address: Option<&ListenAddress>,
    ) -> Result<Option<Listener>, ServerError> {
        let Some(address) = address else {
            return Ok(None);
        };
        match Listener::bind(address, self.options, &mut self.inherited).await {
            Ok(listener) => Ok(Some(listener)),
            Err(source) => Err(ServerError::Listen {
                surface,
                address: address.clone(),
                source,
            }),
        }
    }
}
