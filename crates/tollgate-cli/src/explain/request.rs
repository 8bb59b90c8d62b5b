//! What policies see of the request.

use http::request::Parts;
use tollgate_http::Peer;
use tollgate_policy::file::PolicyFile;
use tollgate_policy::{AddressSource, AttributeName, Attributes, ClientIdentity};

use super::subject::Subject;
use crate::output::shown;
use crate::page::Page;
use crate::policy_file::attributes_of;
use crate::words;

/// Writes every attribute that some policy looks at.
pub(super) fn write(
    file: &PolicyFile,
    subject: &Subject,
    attributes: &dyn Attributes,
    page: &mut Page,
) {
    let rest = match subject {
        Subject::Listed(_) => String::new(),
        Subject::Http(parts) => {
            let path = file.as_written(&AttributeName::Path, parts.uri.path());
            format!(": {} {}", parts.method, shown(path))
        }
    };
    page.heading("request", &rest);
    let names = attributes_of(file);
    if names.is_empty() {
        page.row("", "policies look at nothing of it");
    }
    let mut rows = Vec::new();
    for name in names {
        let value = if *name == AttributeName::ClientIp {
            client(&file.client, subject, attributes)
        } else {
            match attributes.attribute(name) {
                Some(value) => words::value(file, name, &value),
                None => "none".to_owned(),
            }
        };
        rows.push((name.to_string(), value));
    }
    page.rows(&rows);
}

/// Who the client is, and why; or why there is none.
fn client(identity: &ClientIdentity, subject: &Subject, attributes: &dyn Attributes) -> String {
    let header = identity.header_name();
    let Some(client) = attributes.client() else {
        return match subject {
            Subject::Listed(_) => "none".to_owned(),
            Subject::Http(parts) => format!("none: {}", why_not(identity, parts)),
        };
    };
    let source = match (subject, client.source()) {
        (Subject::Listed(_), _) => String::new(),
        (_, AddressSource::Header) => format!(", whom the trusted peer names in {header}"),
        (_, AddressSource::PeerWithoutHeader) => {
            format!(", the trusted peer itself, which sends no {header}")
        }
        _ if identity.trusted_proxies().is_empty() => ", the peer".to_owned(),
        _ => ", the peer, which is no trusted proxy".to_owned(),
    };
    let network = client.network();
    let counted = if network.address() == client.ip() && network.to_string().find('/').is_none() {
        String::new()
    } else {
        format!(", counted by {network}")
    };
    format!("{}{source}{counted}", client.ip())
}

/// Why a request has no client.
pub(super) fn why_not(identity: &ClientIdentity, parts: &Parts) -> String {
    let Some(Peer(peer)) = parts.extensions.get::<Peer>() else {
        return "nobody says who connects; say it with --peer".to_owned();
    };
    let lines = parts.headers.get_all(identity.header_name());
    let peer = peer.as_ref().map(std::net::SocketAddr::ip);
    let resolved = identity.resolve(peer, lines.iter().map(http::HeaderValue::as_bytes));
    resolved.map_or_else(|error| error.to_string(), |_| String::new())
}
