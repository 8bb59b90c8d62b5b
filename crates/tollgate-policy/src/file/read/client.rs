//! `[client]`.

use std::net::IpAddr;

use crate::attribute::is_token;
use crate::file::check::Fields;
use crate::file::report::{Report, about, in_two};
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
    for text in fields.texts("trusted_proxies") {
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
    let is_list_wrong = fields.has("trusted_proxies") && fields.node("trusted_proxies").is_none();
    let is_list_empty = fields.items("trusted_proxies").is_empty();
    let trusts_nobody = is_list_empty && !is_list_wrong && !trusts_unix_peer;
    for name in ["header", "when_header_missing"] {
        if fields.is_written(name) && trusts_nobody {
            report
                .warning(
                    fields.span_of_name(name),
                    format!("`{name}` has no effect, because no proxy is trusted: whoever connects is the client"),
                )
                .help("list the networks of your proxies: `trusted_proxies = [\"10.0.0.0/8\"]`");
        }
    }
    match builder.trust_unix_peer(trusts_unix_peer).build() {
        Ok(identity) => identity,
        Err(error) => {
            // Everything has been checked, one by one.
            let words = error.to_string();
            report.error_in_words(fields.span(), &words, &words);
            ClientIdentity::default()
        }
    }
}

/// Whether it is a network of proxies; what is wrong is reported.
fn is_network(text: &Text, report: &mut Report) -> bool {
    let network: IpNetwork = match text.value().parse() {
        Ok(network) => network,
        Err(error) => {
            let words = error.to_string();
            let (message, help) = in_two(&words);
            report
                .error(text.span(), about(message, text.value()))
                .help(help.unwrap_or("write a network such as `10.0.0.0/8`, or an address"));
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
                format!("`{network}` is a large part of the Internet, from where anybody can pass for any client"),
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
                    "{} is taken for a header that holds one address: whoever comes by a proxy that does not send it is not told apart",
                    quoted(value)
                ),
            )
            .help(format!("did you mean `{meant}`?"));
    }
    Some(ForwardingHeader::Single(lower.into()))
}
