//! The fields of a policy file.

mod policy;
mod settings;

pub(super) use policy::{COST, POLICY, TIER};
pub(super) use settings::{CLIENT, RESPONSE, STORE};

use super::field::{Field, Shape, TableShape};

/// How policies are written, for whoever writes them in another way.
/// True for the name of a field of some table.
pub(super) fn is_known(name: &str) -> bool {
    [&FILE, &STORE, &CLIENT, &RESPONSE, &POLICY, &TIER, &COST]
        .iter()
        .any(|shape| shape.field(name).is_some())
}

pub(super) const TWO_BRACKETS: &str =
    "write `[[policy]]`, with two brackets, before each policy: there may be several";

/// The file itself.
pub(super) static FILE: TableShape = TableShape {
    name: "the file",
    doc: "Who may do what how often.",
    fields: &[
        Field {
            name: "store",
            shape: Shape::Table(&STORE),
            default: "counts in memory",
            example: "{ url = \"redis://127.0.0.1:6379\" }",
            is_required: false,
            doc: "Where counts live.",
        },
        Field {
            name: "client",
            shape: Shape::Table(&CLIENT),
            default: "the peer is the client",
            example: "{ trusted_proxies = [\"10.0.0.0/8\"] }",
            is_required: false,
            doc: "Who the client is.",
        },
        Field {
            name: "response",
            shape: Shape::Table(&RESPONSE),
            default: "both kinds of fields",
            example: "{ headers = [\"ietf\"] }",
            is_required: false,
            doc: "What responses say.",
        },
        Field {
            name: "policy",
            shape: Shape::Many(&Shape::Table(&POLICY)),
            default: "",
            example: "[{ name = \"api\", key = [\"client.ip\"], limits = [\"60/min\"] }]",
            is_required: true,
            doc: "The policies, in the order in which decisions list them: at least 1, at most 10 000. A request must satisfy every policy that matches it, in whatever order they stand.",
        },
    ],
    instead: &[
        ("policies", TWO_BRACKETS),
        ("rules", TWO_BRACKETS),
        ("rule", TWO_BRACKETS),
        (
            "limits",
            "limits belong to a policy: write `[[policy]]` above them",
        ),
        (
            "name",
            "a name belongs to a policy: write `[[policy]]` above it",
        ),
        (
            "key",
            "a key belongs to a policy: write `[[policy]]` above it",
        ),
        (
            "match",
            "a `match` belongs to a policy: write `[[policy]]` above it",
        ),
        (
            "redis",
            "write `[store]`, and in it `url = \"redis://...\"`",
        ),
        ("storage", "it is called `[store]`"),
        ("backend", "it is called `[store]`"),
        ("database", "it is called `[store]`"),
        ("proxy", "it is called `[client]`"),
        ("identity", "it is called `[client]`"),
        ("http", "what responses say is `[response]`"),
        ("headers", "headers are a field of `[response]`"),
        (
            "trusted_proxies",
            "trusted proxies are a field of `[client]`",
        ),
    ],
};

#[cfg(test)]
mod tests;
