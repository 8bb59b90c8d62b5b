//! What policies see of the request.

use serde::Serialize;
use tollgate_policy::file::PolicyFile;
use tollgate_policy::{AddressSource, AttributeName, Attributes};

use crate::explain::request::why_not;
use crate::explain::subject::Subject;
use crate::explain::{Explained, attributes_of};
use crate::words;

/// Who the client is.
#[derive(Serialize)]
pub(super) struct Client<'a> {
    address: Option<String>,
    counted_by: Option<String>,
    /// `peer`, `header` or `peer_without_header`; null where the request is a list of attributes.
    source: Option<&'static str>,
    /// The header that trusted proxies name the client in.
    header: &'a str,
    /// Why there is none.
    missing_because: Option<String>,
}

/// An attribute that some policy looks at. Values that may be secrets are `***`.
#[derive(Serialize)]
pub(super) struct Value {
    attribute: String,
    value: Option<String>,
}

pub(super) fn client<'a>(explained: &Explained<'a>, attributes: &dyn Attributes) -> Client<'a> {
    let identity = &explained.file.client;
    let client = attributes.client();
    Client {
        address: client.map(|client| client.ip().to_string()),
        counted_by: client.map(|client| client.network().to_string()),
        source: client.and_then(|client| match explained.subject {
            Subject::Listed(_) => None,
            Subject::Http(_) => Some(source(client.source())),
        }),
        header: identity.header_name(),
        missing_because: match (client, explained.subject) {
            (None, Subject::Http(parts)) => Some(why_not(identity, parts)),
            _ => None,
        },
    }
}

const fn source(source: AddressSource) -> &'static str {
    match source {
        AddressSource::Header => "header",
        AddressSource::PeerWithoutHeader => "peer_without_header",
        _ => "peer",
    }
}

pub(super) fn values(file: &PolicyFile, attributes: &dyn Attributes) -> Vec<Value> {
    let names = attributes_of(file).into_iter();
    let names = names.filter(|name| **name != AttributeName::ClientIp);
    let values = names.map(|name| Value {
        attribute: name.to_string(),
        value: attributes
            .attribute(name)
            .map(|value| words::public_value(file, &name.to_string(), &value)),
    });
    values.collect()
}
