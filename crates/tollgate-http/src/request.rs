//! A request as attributes.

mod attributes;
mod host;
mod joined;
mod peer;

use http::request::Parts;
use http::{Extensions, HeaderMap, Method, Request, Uri};

pub use attributes::RequestAttributes;
pub(crate) use attributes::View;
pub use peer::Peer;
pub(crate) use peer::peer_of;

/// What a decision looks at: all of a request but its body. Made from [`Parts`] or a [`Request`].
#[derive(Clone, Copy, Debug)]
pub struct RequestHead<'r> {
    /// The method.
    pub method: &'r Method,
    /// The target.
    pub uri: &'r Uri,
    /// The header fields.
    pub headers: &'r HeaderMap,
    /// What connection, router and middleware have said about the request.
    pub extensions: &'r Extensions,
}

impl<'r> From<&'r Parts> for RequestHead<'r> {
    fn from(parts: &'r Parts) -> Self {
        Self {
            method: &parts.method,
            uri: &parts.uri,
            headers: &parts.headers,
            extensions: &parts.extensions,
        }
    }
}

impl<'r, B> From<&'r Request<B>> for RequestHead<'r> {
    fn from(request: &'r Request<B>) -> Self {
        Self {
            method: request.method(),
            uri: request.uri(),
            headers: request.headers(),
            extensions: request.extensions(),
        }
    }
}
