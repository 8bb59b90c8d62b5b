//! The request that is explained, and how it is decided.

use std::net::IpAddr;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use anyhow::bail;
use http::request::Parts;
use http::{Request, StatusCode};
use tollgate_http::RequestAttributes;
use tollgate_policy::{
    AttributeMap, AttributeName, Attributes, ClientIdentity, Decision, query_value,
};

use super::limiter::Limiter;
use crate::arguments::Attribute;
use crate::usage::UsageError;

/// The request that is explained.
#[derive(Debug)]
pub(super) enum Subject {
    /// It is a list of attributes.
    Listed(AttributeMap),
    /// It is one of HTTP, whose attributes `tollgate-http` finds.
    Http(Box<Parts>),
}

impl Subject {
    /// A request that has some attributes and nothing else. An address that is named is the
    /// client's, whatever proxies there are. A path may have a query, of which those parameters are
    /// attributes that are among `looked_at`.
    pub(super) fn of_attributes(
        attributes: &[Attribute],
        looked_at: &[&AttributeName],
        identity: &ClientIdentity,
    ) -> Self {
        let mut map = AttributeMap::new();
        for Attribute { name, value } in attributes {
            match value.parse::<IpAddr>() {
                Ok(ip) if *name == AttributeName::ClientIp => {
                    map = map.with_client(identity.client_at(ip));
                }
                _ if *name == AttributeName::Path => {
                    let (path, query) = value.split_once('?').unwrap_or((value, ""));
                    map.set(name.clone(), path);
                    for name in looked_at {
                        if let AttributeName::Query(parameter) = name
                            && let Some(value) = query_value(query, parameter)
                        {
                            map.set((*name).clone(), &*value);
                        }
                    }
                }
                _ => map.set(name.clone(), value),
            }
        }
        Self::Listed(map)
    }

    /// A request of HTTP, to which a service adds some attributes.
    ///
    /// # Errors
    ///
    /// If they are of those that the request itself says.
    pub(super) fn of_request(
        mut request: Request<()>,
        attributes: &[Attribute],
    ) -> Result<Self, UsageError> {
        let mut added = RequestAttributes::new();
        for Attribute { name, value } in attributes {
            match name {
                AttributeName::Route | AttributeName::Other(_) => {
                    added = added.with(name.to_string(), value.clone());
                }
                AttributeName::ClientIp => {
                    return Err(UsageError(
                        "`client.ip` follows from who connects; say that with --peer".to_owned(),
                    ));
                }
                _ => {
                    return Err(UsageError(format!(
                        "`{name}` is what the request says; change it there"
                    )));
                }
            }
        }
        request.extensions_mut().insert(added);
        Ok(Self::Http(Box::new(request.into_parts().0)))
    }

    /// Hands on the request as policies see it.
    pub(super) fn with_attributes(&self, limiter: &Limiter, then: impl FnOnce(&dyn Attributes)) {
        match self {
            Self::Listed(map) => then(map),
            Self::Http(parts) => then(&limiter.attributes(&**parts)),
        }
    }

    /// True if the layer passes it on without a look at the policies.
    pub(super) fn passes(&self, limiter: &Limiter) -> bool {
        match self {
            Self::Listed(_) => false,
            Self::Http(parts) => limiter.passes(&**parts),
        }
    }

    pub(super) fn decide(&self, limiter: &Limiter) -> anyhow::Result<Decision> {
        match self {
            Self::Listed(map) => Ok(limiter.policies().decide_now(map)),
            Self::Http(parts) => at_once(limiter.check(&**parts)),
        }
    }

    /// Tells the limiter how the service has answered.
    pub(super) fn settle(
        &self,
        limiter: &Limiter,
        decision: &Decision,
        status: u16,
    ) -> anyhow::Result<()> {
        let status = StatusCode::from_u16(status)?;
        Ok(at_once(limiter.settle(decision, status))??)
    }
}

/// What a future gives that need not wait, because the store is in memory.
fn at_once<F: Future>(future: F) -> anyhow::Result<F::Output> {
    let mut context = Context::from_waker(Waker::noop());
    match pin!(future).poll(&mut context) {
        Poll::Ready(output) => Ok(output),
        Poll::Pending => bail!("the store in memory has to be waited for"),
    }
}
