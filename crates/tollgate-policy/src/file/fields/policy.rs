//! The fields of `[[policy]]`, its tiers and its cost.

use tollgate::MAX_UNITS;

use crate::file::field::{Field, Shape, TableShape, TextShape, Word};

const LIMITS: Shape = Shape::OneOrMany(&Shape::Text(TextShape::Limit));

const LIMITS_DOC: &str = "How much: `UNITS/PERIOD`, where a period is `ms`, `s`, `min`, `h` or `d` with a number before it if it is not one, then an algorithm if it is not `token-bucket`, and `burst N` for that: `10/min`, `20/s burst 60`, `3/10s fixed-window`, `1000/h sliding-window`, `5/d sliding-log`. All of a list must admit a request: 1 to 16, no two with the same algorithm and period. A `sliding-log` takes up to 32 bytes for each admission.";

pub(in crate::file) static POLICY: TableShape = TableShape {
    name: "[[policy]]",
    doc: "Which requests, counted by what, how much, and what happens otherwise.",
    fields: &[
        Field {
            name: "name",
            shape: Shape::Text(TextShape::Name),
            default: "",
            example: "\"login\"",
            is_required: true,
            doc: "1 to 64 letters, digits, `-`, `_` and `.`, a letter or digit first; no other policy has it. It stands in keys, headers and metrics: with a new name everything is counted afresh.",
        },
        Field {
            name: "match",
            shape: Shape::Tests,
            default: "every request",
            example: "{ method = [\"GET\", \"HEAD\"], path = \"/places/**\" }",
            is_required: false,
            doc: "Attributes with the values that they may have; a request must pass every test, and a list means any of. `client.ip` is an address or a network, `method` a method, `path` and `route` a path where `*` stands for anything within a segment and `**` for any segments, `host` a name where `*` stands for anything, and every other attribute, such as `header.x-plan`, `query.page` or `user.plan`, a text where `*` stands for anything. A test of an attribute that a request lacks fails.",
        },
        Field {
            name: "except",
            shape: Shape::OneOrMany(&Shape::Tests),
            default: "none",
            example: "{ \"client.ip\" = \"192.0.2.0/24\" }",
            is_required: false,
            doc: "Requests that the policy does not match although `match` does, written like it: those that pass every test of the table, or of one table of a list.",
        },
        Field {
            name: "key",
            shape: Shape::OneOrMany(&Shape::Text(TextShape::KeyPart)),
            default: "",
            example: "[\"user or client.ip\"]",
            is_required: false,
            doc: "By what requests are counted: a list of up to 8 attributes, all of them together. A part may name alternatives, of which the first that a request has is taken: `user or client.ip`. Needed where there are limits, unless `shared` is true. What a client chooses freely, such as a header, holds nobody, also beside other parts: each client has as many counts as it likes. Count by `client.ip` in another policy beside it.",
        },
        Field {
            name: "shared",
            shape: Shape::Boolean,
            default: "false",
            example: "true",
            is_required: false,
            doc: "Counts all requests together, instead of a `key`. One client can use up what all share.",
        },
        Field {
            name: "limits",
            shape: LIMITS,
            default: "",
            example: "[\"60/min\", \"1000/h sliding-window\"]",
            is_required: false,
            doc: LIMITS_DOC,
        },
        Field {
            name: "block",
            shape: Shape::Boolean,
            default: "false",
            example: "true",
            is_required: false,
            doc: "Denies every request that matches (403), instead of `limits`.",
        },
        Field {
            name: "unlimited",
            shape: Shape::Boolean,
            default: "false",
            example: "true",
            is_required: false,
            doc: "Limits nothing, instead of `limits`: for a policy of which only tiers have limits.",
        },
        Field {
            name: "tiers",
            shape: Shape::Many(&Shape::Table(&TIER)),
            default: "none",
            example: "[{ when = { \"user.plan\" = \"pro\" }, limits = [\"600/min\"] }]",
            is_required: false,
            doc: "Other limits for some requests: the first tier whose `when` holds replaces the policy's own. Who changes tiers keeps what was used of a window or a log with the same algorithm and period; a token bucket of a tier counts by itself. A tier that depends on a header is anybody's.",
        },
        Field {
            name: "cost",
            shape: Shape::AnyOf(&[
                Shape::Integer {
                    min: 0,
                    max: MAX_UNITS,
                },
                Shape::Table(&COST),
            ]),
            default: "1",
            example: "{ attribute = \"search.cost\", max = 100 }",
            is_required: false,
            doc: "The units that a request takes of each limit: a number from 0 to 10^12, or an attribute that says. 0 only looks. A number above what a limit ever admits is an error.",
        },
        Field {
            name: "count",
            shape: Shape::AnyOf(&[
                Shape::Word(&[
                    Word {
                        name: "all",
                        doc: "every request that is admitted",
                    },
                    Word {
                        name: "failures",
                        doc: "those with a response from 400 to 499",
                    },
                ]),
                Shape::Many(&Shape::AnyOf(&[
                    Shape::Integer { min: 100, max: 599 },
                    Shape::Text(TextShape::Statuses),
                ])),
            ]),
            default: "\"all\"",
            example: "[401, 403]",
            is_required: false,
            doc: "Which requests count for good: `all`, `failures`, or a list of statuses, such as `[401, 403]` or `[\"4xx\", \"500-504\"]`. All are charged before they are served, and given back when the response is none of these, so that parallel guesses do not slip through. Use a window or a log for it: they give back exactly.",
        },
        Field {
            name: "missing_key",
            shape: Shape::Word(&[
                Word {
                    name: "deny",
                    doc: "it is denied (400)",
                },
                Word {
                    name: "skip",
                    doc: "the policy is passed over: leaving the attribute out is then a way around it",
                },
            ]),
            default: "\"deny\"",
            example: "\"skip\"",
            is_required: false,
            doc: "What happens to a request that matches and lacks an attribute of the key.",
        },
        Field {
            name: "mode",
            shape: Shape::Word(&[
                Word {
                    name: "enforce",
                    doc: "it denies",
                },
                Word {
                    name: "shadow",
                    doc: "it counts and reports, and never denies",
                },
                Word {
                    name: "off",
                    doc: "it does nothing",
                },
            ]),
            default: "\"enforce\"",
            example: "\"shadow\"",
            is_required: false,
            doc: "Whether the policy is enforced. Begin with `shadow` to see what it would do.",
        },
        Field {
            name: "on_store_failure",
            shape: Shape::Word(&[
                Word {
                    name: "allow",
                    doc: "it is let through, uncounted",
                },
                Word {
                    name: "deny",
                    doc: "it is denied (503)",
                },
                Word {
                    name: "local",
                    doc: "it is counted in the memory of the process, against `local_share` of each limit",
                },
            ]),
            default: "\"allow\"",
            example: "\"deny\"",
            is_required: false,
            doc: "What a request gets when the store makes no decision. With `allow`, whoever can bring the store down has no limit: say `deny` where that is worse than an outage, as for passwords.",
        },
        Field {
            name: "local_share",
            shape: Shape::Text(TextShape::Share),
            default: "",
            example: "\"1/4\"",
            is_required: false,
            doc: "With `on_store_failure = \"local\"`: which part of each limit this process gives by itself, above 0 and at most 1. With four instances write `\"1/4\"`, so that together they keep to about the limit. Where the environment chooses (`on_store_failure = \"${FAILURE:-deny}\"`), it may stand there for that choice.",
        },
        Field {
            name: "hide_numbers",
            shape: Shape::Boolean,
            default: "false",
            example: "true",
            is_required: false,
            doc: "Whether responses are kept from telling limits and what is left, as for passwords. `Retry-After` of a denial stays.",
        },
    ],
    instead: &[
        ("limit", "it is called `limits`"),
        ("rate", "it is called `limits`: `limits = [\"10/min\"]`"),
        (
            "burst",
            "write the burst into the limit: `limits = [\"20/s burst 60\"]`",
        ),
        (
            "algorithm",
            "write the algorithm into the limit: `limits = [\"10/min fixed-window\"]`",
        ),
        (
            "period",
            "write the period into the limit: `limits = [\"10/min\"]`",
        ),
        (
            "window",
            "write the period into the limit: `limits = [\"10/min fixed-window\"]`",
        ),
        (
            "path",
            "tests stand in `match`: `match = { path = \"/auth/**\" }`",
        ),
        (
            "paths",
            "tests stand in `match`: `match = { path = [\"/auth/**\"] }`",
        ),
        (
            "method",
            "tests stand in `match`: `match = { method = \"GET\" }`",
        ),
        (
            "methods",
            "tests stand in `match`: `match = { method = [\"GET\"] }`",
        ),
        (
            "host",
            "tests stand in `match`: `match = { host = \"api.example.com\" }`",
        ),
        (
            "route",
            "tests stand in `match`: `match = { route = \"/users/{id}\" }`",
        ),
        (
            "when",
            "in a policy it is called `match`; tiers have `when`",
        ),
        ("unless", "it is called `except`"),
        ("by", "it is called `key`"),
        ("shadow", "write `mode = \"shadow\"`"),
        ("enabled", "write `mode = \"off\"` to turn it off"),
        ("fail_open", "write `on_store_failure = \"allow\"`"),
        ("fail_closed", "write `on_store_failure = \"deny\"`"),
    ],
};

pub(in crate::file) static TIER: TableShape = TableShape {
    name: "a tier",
    doc: "Other limits for some requests of a policy.",
    fields: &[
        Field {
            name: "when",
            shape: Shape::Tests,
            default: "",
            example: "{ \"user.plan\" = \"pro\" }",
            is_required: true,
            doc: "Which requests, written like `match`. Use attributes that your service sets, not headers.",
        },
        Field {
            name: "limits",
            shape: LIMITS,
            default: "",
            example: "[\"600/min\"]",
            is_required: false,
            doc: "What they get, as in the policy.",
        },
        Field {
            name: "block",
            shape: Shape::Boolean,
            default: "false",
            example: "true",
            is_required: false,
            doc: "Denies them, instead of `limits`.",
        },
        Field {
            name: "unlimited",
            shape: Shape::Boolean,
            default: "false",
            example: "true",
            is_required: false,
            doc: "Limits nothing for them, instead of `limits`.",
        },
    ],
    instead: &[
        ("limit", "it is called `limits`"),
        ("match", "in a tier it is called `when`"),
        ("if", "it is called `when`"),
        (
            "key",
            "all tiers count by the key of the policy; where another is needed, write another `[[policy]]`",
        ),
        ("name", "tiers have no names; they count under the policy's"),
    ],
};

pub(in crate::file) static COST: TableShape = TableShape {
    name: "`cost`",
    doc: "A cost that an attribute says.",
    fields: &[
        Field {
            name: "attribute",
            shape: Shape::Text(TextShape::Attribute),
            default: "",
            example: "\"search.cost\"",
            is_required: true,
            doc: "The attribute whose value is the cost, in digits. A value that is no number, or is above `max`, costs `max`; one below `min` costs `min`. Use one that your service sets: a client that writes its own cost writes the lowest.",
        },
        Field {
            name: "max",
            shape: Shape::Integer {
                min: 1,
                max: MAX_UNITS,
            },
            default: "",
            example: "100",
            is_required: true,
            doc: "The upper bound of the cost. Above what a limit ever admits, requests that cost more are always denied.",
        },
        Field {
            name: "min",
            shape: Shape::Integer {
                min: 0,
                max: MAX_UNITS,
            },
            default: "1",
            example: "1",
            is_required: false,
            doc: "The lower bound of the cost, at most `max`. With 0, a request whose attribute says 0 only looks, and costs nothing.",
        },
        Field {
            name: "default",
            shape: Shape::Integer {
                min: 0,
                max: MAX_UNITS,
            },
            default: "`min`, or 1 if that is 0",
            example: "1",
            is_required: false,
            doc: "What a request costs that lacks the attribute, at most `max`.",
        },
    ],
    instead: &[
        ("name", "it is called `attribute`"),
        ("maximum", "it is called `max`"),
        ("minimum", "it is called `min`"),
    ],
};
