//! `[client]`.

use std::net::IpAddr;

use crate::attribute::is_token;
use crate::file::check::Fields;
use crate::file::document::Node;
use crate::file::report::Report;
use crate::file::suggestion::{is_slip, quoted};
use crate::file::text::Text;
use crate::{ClientIdentity, ForwardingHeader, IpNetwork, WhenHeaderMissing};

/// The headers that hold lists.
const LISTS: [(&str, ForwardingHeader); 2] = [
    ("x-forwarded-for", ForwardingHeader::XForwardedFor),
    ("forwarded", ForwardingHeader::Forwarded),
];

/// The identity; where a field is wrong, its default stands.
pub(in crate::file) fn client(fields: &Fields<'_>, report: &mut Report) -> ClientIdentity {
    let mut builder = ClientIdentity::builder();
    let proxies = fields.node("trusted_proxies").map(Node::one_or_many);
    for text in proxies.unwrap_or(&[]).iter().filter_map(Node::text) {
        if is_network(text, report) {
            builder = builder.trusted_proxy(text.value());
        }
    }
    if let Some(header) = fields.text("header").and_then(|text| header(text, report)) {
        builder = builder.header(header);
    }
    if let Some(bits) = fields.integer("ipv6_prefix") {
        builder = builder.ipv6_prefix(bits);
    }
    if let Some(text) = fields.text("when_header_missing")
        && text.value() == "missing"
    {
        builder = builder.when_header_missing(WhenHeaderMissing::Missing);
    }
    let trusts_unix_peer = fields.is_true("trust_unix_peer");
    let trusts_nobody = proxies.is_none_or(<[Node]>::is_empty) && !trusts_unix_peer;
    let trusts_wrongly = fields.has("trusted_proxies") && proxies.is_none();
    for name in ["header", "when_header_missing"] {
        if fields.has(name) && trusts_nobody && !trusts_wrongly {
            report
                .warning(
                    fields.span_of_name(name),
                    format!("`{name}` means nothing, because no proxy is trusted"),
                )
                .help("list the networks of your proxies: `trusted_proxies = [\"10.0.0.0/8\"]`");
        }
    }
    match builder.trust_unix_peer(trusts_unix_peer).build() {
        Ok(identity) => identity,
        Err(error) => {
            // Everything has been checked, one by one.
            report.error_in_words(fields.span(), &error.to_string());
            ClientIdentity::default()
        }
    }
}

/// Whether it is a network of proxies; what is wrong is reported.
fn is_network(text: &Text, report: &mut Report) -> bool {
    let network: IpNetwork = match text.value().parse() {
        Ok(network) => network,
        Err(error) => {
            report.error_in_words(text.span(), &format!("{error}"));
            return false;
        }
    };
    if network.is_everything() {
        report
            .error(
                text.span(),
                format!("the trusted proxy `{network}` is every address, so that every client could name any other"),
            )
            .help("list the networks of your proxies, as narrow as they are");
        return false;
    }
    if is_vast(network) {
        report
            .warning(
                text.span(),
                format!("`{network}` trusts a large part of the Internet to name clients"),
            )
            .help("list the networks of your proxies, as narrow as they are");
    }
    true
}

/// True for more than anybody's proxies: no private network is so large.
fn is_vast(network: IpNetwork) -> bool {
    match network.address() {
        IpAddr::V4(_) => network.prefix() < 8,
        IpAddr::V6(address) => {
            let is_local = network.prefix() >= 7
                && (address.is_unique_local() || address.is_unicast_link_local());
            network.prefix() < 16 && !is_local
        }
    }
}

fn header(text: &Text, report: &mut Report) -> Option<ForwardingHeader> {
    let value = text.value();
    if !value.bytes().all(is_token) {
        report
            .error(
                text.span(),
                format!("{} is not the name of a header", quoted(value)),
            )
            .help("write `x-forwarded-for`, `forwarded`, or a field name such as `x-real-ip`");
        return None;
    }
    let lower = value.to_ascii_lowercase();
    if let Some((_, list)) = LISTS.iter().find(|(name, _)| *name == lower) {
        return Some(list.clone());
    }
    if let Some((meant, _)) = LISTS.iter().find(|(name, _)| is_slip(name, &lower)) {
        report
            .warning(
                text.span(),
                format!(
                    "{} is taken for a header that holds one address",
                    quoted(value)
                ),
            )
            .help(format!("did you mean `{meant}`?"));
    }
    Some(ForwardingHeader::Single(lower.into()))
}
