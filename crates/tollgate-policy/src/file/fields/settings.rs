//! The fields of `[store]`, `[client]` and `[response]`.

use crate::file::field::{Field, Shape, TableShape, TextShape, Word};

pub(in crate::file) static STORE: TableShape = TableShape {
    name: "[store]",
    doc: "Where counts live, and what an outage may cost. Left out, they live in the memory of the process: fast, and each process counts by itself.",
    fields: &[
        Field {
            name: "url",
            shape: Shape::Text(TextShape::StoreUrl),
            default: "\"memory:\"",
            example: "\"redis://127.0.0.1:6379\"",
            is_required: false,
            doc: "The store. `memory:` is the memory of the process. `redis://HOST:PORT/DATABASE` is a server, `redis+unix:///PATH` one on a socket, `redis-sentinel://HOST,HOST/MASTER` one that Sentinel watches, `redis-cluster://HOST,HOST` a cluster. With `rediss` instead of `redis` it is TLS; `valkey` may stand for `redis`. A user and a password stand before the host: `redis://USER:PASSWORD@HOST`. In them `%`, `:`, `/`, `?`, `#` and `@` are written as `%25`, `%3A`, `%2F`, `%3F`, `%23` and `%40`, also in a variable. They are never shown; take them from the environment all the same.",
        },
        Field {
            name: "timeout",
            shape: Shape::Text(TextShape::Duration),
            default: "\"100ms\"",
            example: "\"100ms\"",
            is_required: false,
            doc: "How long a decision may take, from 1 ms to 60 s. It is what an outage adds to requests until it is noticed; after it, each policy does what its `on_store_failure` says. Well above the slowest answer of a healthy store, or hiccups become outages. Means nothing in memory.",
        },
        Field {
            name: "max_waiting",
            shape: Shape::Integer {
                min: 1,
                max: 1_000_000,
            },
            default: "1024",
            example: "1024",
            is_required: false,
            doc: "How many decisions may wait for the store at the same time; another one counts as a failure at once. It bounds the memory that a hanging store takes. Well above requests per second times the time of an answer. Means nothing in memory.",
        },
        Field {
            name: "max_failures",
            shape: Shape::Integer {
                min: 1,
                max: 1_000_000,
            },
            default: "5",
            example: "5",
            is_required: false,
            doc: "How many decisions in a row must fail, with a refused connection for example, until the store is not asked any more but probed. A store that is silent for a whole `timeout` is not asked any more at once. Means nothing in memory.",
        },
        Field {
            name: "denial_cache",
            shape: Shape::Integer {
                min: 0,
                max: 10_000_000,
            },
            default: "100_000",
            example: "100_000",
            is_required: false,
            doc: "How many denials are remembered in the process, so that who is denied until an instant is not asked for again before it; 0 remembers none. A denial takes up to 128 bytes. The answers are the same; what other processes give back or reset is noticed up to a minute late. Means nothing in memory.",
        },
        Field {
            name: "prefix",
            shape: Shape::Text(TextShape::Any),
            default: "\"tollgate\"",
            example: "\"shop:limits\"",
            is_required: false,
            doc: "What all keys in the store begin with: 1 to 64 letters, digits, `-`, `_`, `.`, `:` and `/`. Stores with different prefixes count apart. Means nothing in memory.",
        },
        Field {
            name: "hash_secret",
            shape: Shape::Text(TextShape::Any),
            default: "a key that everyone knows",
            example: "\"${TOLLGATE_HASH_SECRET}\"",
            is_required: false,
            doc: "A secret of at least 16 bytes. Secrets and long values in keys are stored only as a hash, under this; so whoever reads the store cannot test guesses of them. The same in all processes that share a store; changing it, also by a reload, makes those keys start afresh. Take it from the environment.",
        },
        Field {
            name: "max_keys",
            shape: Shape::Integer {
                min: 1,
                max: 1_000_000_000,
            },
            default: "1_000_000",
            example: "1_000_000",
            is_required: false,
            doc: "How many keys the memory holds, counted once for each limit. A key takes up to 48 bytes, as keys come. Full, it drops what matters least: a key that is being denied only if all are. Means nothing in Redis.",
        },
        Field {
            name: "max_log_size",
            shape: Shape::Text(TextShape::Size),
            default: "\"64MiB\"",
            example: "\"64MiB\"",
            is_required: false,
            doc: "How much memory all logs of `sliding-log` limits take together, from 1KiB to 1024GiB. An admission takes up to 32 bytes. Full, a decision is a failure of the store. Means nothing in Redis.",
        },
    ],
    instead: &[
        ("deadline", "it is called `timeout`"),
        ("redis", "it is called `url`"),
        (
            "host",
            "write the host into `url`: `url = \"redis://HOST:PORT\"`",
        ),
        (
            "port",
            "write the port into `url`: `url = \"redis://HOST:PORT\"`",
        ),
        (
            "password",
            "write the password into `url`: `url = \"redis://:${REDIS_PASSWORD}@HOST\"`",
        ),
        (
            "username",
            "write the user into `url`: `url = \"redis://USER:${REDIS_PASSWORD}@HOST\"`",
        ),
        (
            "database",
            "write the database into `url`: `url = \"redis://HOST:PORT/DATABASE\"`",
        ),
        (
            "db",
            "write the database into `url`: `url = \"redis://HOST:PORT/DATABASE\"`",
        ),
        (
            "type",
            "the scheme of `url` says which store it is; leave `url` out to count in memory",
        ),
        ("on_store_failure", "it is a field of each `[[policy]]`"),
    ],
};

pub(in crate::file) static CLIENT: TableShape = TableShape {
    name: "[client]",
    doc: "Who the client is, which `client.ip` in policies stands for. Left out, it is whoever connects. Behind a proxy that is the proxy: list the proxies, so that all clients do not share one count.",
    fields: &[
        Field {
            name: "trusted_proxies",
            shape: Shape::OneOrMany(&Shape::Text(TextShape::Network)),
            default: "nobody",
            example: "[\"10.0.0.0/8\"]",
            is_required: false,
            doc: "The addresses or networks from which your proxies connect, as narrow as they are: whoever is listed can name any address as the client. The header of anybody else is not looked at.",
        },
        Field {
            name: "header",
            shape: Shape::Text(TextShape::Header),
            default: "\"x-forwarded-for\"",
            example: "\"forwarded\"",
            is_required: false,
            doc: "The header in which trusted proxies name the client: `x-forwarded-for` or `forwarded`, lists that are walked from the right past trusted proxies, or another one, such as `x-real-ip`, that the proxy overwrites with one address. Choose one that your proxies write; one that they pass through is the client's own.",
        },
        Field {
            name: "ipv6_prefix",
            shape: Shape::Integer { min: 32, max: 128 },
            default: "64",
            example: "56",
            is_required: false,
            doc: "How many bits of an IPv6 address are counted together in keys. With more, one customer has many counts; with fewer, several customers share one. IPv4 addresses are counted whole.",
        },
        Field {
            name: "trust_unix_peer",
            shape: Shape::Boolean,
            default: "false",
            example: "true",
            is_required: false,
            doc: "Whether whoever connects by a Unix socket is a trusted proxy. If not, they have no address. Whoever may open the socket may then name any client.",
        },
        Field {
            name: "when_header_missing",
            shape: Shape::Word(&[
                Word {
                    name: "peer",
                    doc: "the proxy itself, as for its health checks",
                },
                Word {
                    name: "missing",
                    doc: "nobody: a key with `client.ip` is missing",
                },
            ]),
            default: "\"peer\"",
            example: "\"missing\"",
            is_required: false,
            doc: "Who the client is when a trusted proxy sends no header. If a proxy was never told to send it, all clients count as one with `peer`.",
        },
    ],
    instead: &[
        ("trust", "it is called `trusted_proxies`"),
        ("trusted", "it is called `trusted_proxies`"),
        ("proxies", "it is called `trusted_proxies`"),
        (
            "trust_proxy",
            "list the networks of your proxies in `trusted_proxies`",
        ),
        ("ipv6_subnet", "it is called `ipv6_prefix`"),
        (
            "depth",
            "list the networks of your proxies in `trusted_proxies` instead of counting them",
        ),
        (
            "hops",
            "list the networks of your proxies in `trusted_proxies` instead of counting them",
        ),
    ],
};

pub(in crate::file) static RESPONSE: TableShape = TableShape {
    name: "[response]",
    doc: "What responses say. `Retry-After` and the body of a denial are always there.",
    fields: &[
        Field {
            name: "headers",
            shape: Shape::OneOrMany(&Shape::Word(&[
                Word {
                    name: "ietf",
                    doc: "`RateLimit-Policy` and `RateLimit`, lists of every limit that applied (draft-ietf-httpapi-ratelimit-headers)",
                },
                Word {
                    name: "x-ratelimit",
                    doc: "`X-RateLimit-Limit`, `-Remaining` and `-Reset`, of the limit that decided",
                },
                Word {
                    name: "none",
                    doc: "neither; stands alone",
                },
            ])),
            default: "[\"ietf\", \"x-ratelimit\"]",
            example: "[\"ietf\"]",
            is_required: false,
            doc: "Which fields tell clients how much is left. A policy with `hide_numbers` tells nothing in any of them.",
        },
        Field {
            name: "reset",
            shape: Shape::Word(&[
                Word {
                    name: "epoch",
                    doc: "seconds since the Unix epoch",
                },
                Word {
                    name: "delta",
                    doc: "seconds from now",
                },
            ]),
            default: "\"epoch\"",
            example: "\"delta\"",
            is_required: false,
            doc: "What `X-RateLimit-Reset` counts in. No standard says; choose what your clients expect. `Retry-After` and `RateLimit` always count from now.",
        },
        Field {
            name: "expose",
            shape: Shape::Boolean,
            default: "false",
            example: "true",
            is_required: false,
            doc: "Whether pages of other origins may read the fields, by `Access-Control-Expose-Headers`. Means nothing without other CORS fields, and tells every origin that those allow.",
        },
        Field {
            name: "count_preflight",
            shape: Shape::Boolean,
            default: "false",
            example: "true",
            is_required: false,
            doc: "Whether CORS preflight requests count. If not, no policy sees them, and they pass also where a policy blocks: say true where `OPTIONS` does work.",
        },
        Field {
            name: "outage_retry_after",
            shape: Shape::Text(TextShape::Duration),
            default: "\"5s\"",
            example: "\"5s\"",
            is_required: false,
            doc: "The `Retry-After` of a request that is denied because the store has failed, from 1 s to 1 h: a guess.",
        },
    ],
    instead: &[
        ("header", "it is called `headers`"),
        ("expose_headers", "it is called `expose`"),
        (
            "retry_after",
            "it is called `outage_retry_after`; that of a denial is always exact",
        ),
    ],
};
