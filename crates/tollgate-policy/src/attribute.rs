//! Requests as named facts.

mod map;
mod name;
mod query;

pub use map::AttributeMap;
pub(crate) use name::is_token;
pub use name::{AttributeName, ParseAttributeNameError};
pub use query::query_value;

use std::borrow::Cow;

use crate::{ClientAddress, NoAddress};

/// One request, as the named facts that policies match on and count by.
///
/// Values are given raw, as the client sent them: policies bring paths and hosts into one form
/// before they compare them, so that no spelling evades a policy.
pub trait Attributes {
    /// The value of an attribute, or `None` if the request has none. Borrowed where possible: a
    /// decision asks several times. [`AttributeName::ClientIp`] is never asked for here.
    ///
    /// An empty value counts as none when a key is built. Give none for a value that is not UTF-8,
    /// rather than a changed one, which another value may be changed into as well.
    fn attribute(&self, name: &AttributeName) -> Option<Cow<'_, str>>;

    /// Who sent the request, as [`ClientIdentity::resolve`](crate::ClientIdentity::resolve) says;
    /// `None` if there is no address, never an address that stands for none. A decision asks
    /// several times, so find it before.
    fn client(&self) -> Option<ClientAddress>;

    /// Why there is no [`client`](Self::client), if that is known: for the log of a request that is
    /// counted by it.
    fn no_client(&self) -> Option<NoAddress> {
        None
    }
}
