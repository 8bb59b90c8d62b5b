//! What programs read of a policy file. Times are milliseconds; what is not said is null.

use serde::Serialize;
use tollgate::Limit;
use tollgate_policy::file::{Diagnostic, Diagnostics, PolicyFile, ResetUnit, StoreKind};
use tollgate_policy::{
    Allowance, ClientIdentity, Cost, Count, MissingKey, Mode, OnStoreFailure, Policy, When,
    WhenHeaderMissing,
};

use crate::words;

#[derive(Serialize)]
struct Report<'a> {
    file: &'a str,
    errors: usize,
    warnings: usize,
    diagnostics: Vec<Finding<'a>>,
    /// Null of a file with errors, and so is what follows.
    store: Option<Store<'a>>,
    client: Option<Client<'a>>,
    response: Option<Response>,
    policies: Option<Vec<Rule<'a>>>,
}

#[derive(Serialize)]
struct Finding<'a> {
    severity: &'static str,
    message: &'a str,
    help: Option<&'a str>,
    line: usize,
    column: usize,
    related: Vec<Place<'a>>,
}

#[derive(Serialize)]
struct Place<'a> {
    message: &'a str,
    line: usize,
    column: usize,
}

#[derive(Serialize)]
struct Store<'a> {
    /// Without user, password and query.
    url: String,
    is_memory: bool,
    timeout: u128,
    max_waiting: usize,
    max_failures: u32,
    denial_cache: usize,
    prefix: &'a str,
    has_hash_secret: bool,
    max_keys: usize,
    max_log_bytes: usize,
}

#[derive(Serialize)]
struct Client<'a> {
    trusted_proxies: Vec<String>,
    header: &'a str,
    ipv6_prefix: u8,
    trust_unix_peer: bool,
    when_header_missing: &'static str,
}

#[derive(Serialize)]
struct Response {
    ietf: bool,
    x_ratelimit_reset: Option<&'static str>,
    expose: bool,
    count_preflight: bool,
    outage_retry_after: u128,
}

#[derive(Serialize)]
struct Rule<'a> {
    name: &'a str,
    mode: &'static str,
    #[serde(rename = "match")]
    matches: Vec<Test<'a>>,
    except: Vec<Vec<Test<'a>>>,
    /// The alternatives of each part.
    key: Vec<Vec<String>>,
    #[serde(flatten)]
    given: Given,
    tiers: Vec<Tier<'a>>,
    cost: Units,
    /// Null if all requests count.
    count_statuses: Option<String>,
    missing_key: &'static str,
    on_store_failure: &'static str,
    local_share: Option<String>,
    local_limits: Vec<Amount>,
    hide_numbers: bool,
}

/// A test of an attribute. Values of attributes that may be secrets are `***`.
#[derive(Serialize)]
struct Test<'a> {
    attribute: &'a str,
    values: Vec<String>,
}

#[derive(Serialize)]
struct Tier<'a> {
    when: Vec<Test<'a>>,
    #[serde(flatten)]
    given: Given,
    local_limits: Vec<Amount>,
}

#[derive(Default, Serialize)]
struct Given {
    limits: Vec<Amount>,
    block: bool,
    unlimited: bool,
}

#[derive(Serialize)]
struct Amount {
    limit: String,
    means: String,
}

#[derive(Serialize)]
struct Units {
    /// Null if it is the same for all requests.
    attribute: Option<String>,
    max: u64,
    default: u64,
}

/// A line about a file.
pub(super) fn line(name: &str, read: &Result<PolicyFile, Diagnostics>) -> anyhow::Result<String> {
    let (file, found) = match read {
        Ok(file) => (Some(file), &file.warnings),
        Err(found) => (None, found),
    };
    let report = Report {
        file: name,
        errors: found.errors(),
        warnings: found.len() - found.errors(),
        diagnostics: found.iter().map(|one| finding(found, one)).collect(),
        store: file.map(store),
        client: file.map(|file| client(&file.client)),
        response: file.map(response),
        policies: file.map(|file| file.policies.policies().iter().map(rule).collect()),
    };
    Ok(serde_json::to_string(&report)? + "\n")
}

fn finding<'a>(found: &'a Diagnostics, one: &'a Diagnostic) -> Finding<'a> {
    let source = found.source();
    let position = source.position(one.span.start);
    let related = one.related.iter().map(|related| {
        let position = source.position(related.span.start);
        Place {
            message: &related.message,
            line: position.line,
            column: position.column,
        }
    });
    Finding {
        severity: one.severity.name(),
        message: &one.message,
        help: one.help.as_deref(),
        line: position.line,
        column: position.column,
        related: related.collect(),
    }
}

fn store(file: &PolicyFile) -> Store<'_> {
    let store = &file.store;
    Store {
        url: store.url.to_string(),
        is_memory: store.url.kind() == StoreKind::Memory,
        timeout: store.timeout.as_millis(),
        max_waiting: store.max_waiting,
        max_failures: store.max_failures,
        denial_cache: store.denial_cache,
        prefix: &store.prefix,
        has_hash_secret: store.hash_secret.is_some(),
        max_keys: store.max_keys,
        max_log_bytes: store.max_log_bytes,
    }
}

fn client(identity: &ClientIdentity) -> Client<'_> {
    let proxies = identity.trusted_proxies().iter();
    Client {
        trusted_proxies: proxies.map(ToString::to_string).collect(),
        header: identity.header_name(),
        ipv6_prefix: identity.ipv6_prefix(),
        trust_unix_peer: identity.trusts_unix_peer(),
        when_header_missing: match identity.when_header_missing() {
            WhenHeaderMissing::Missing => "missing",
            _ => "peer",
        },
    }
}

fn response(file: &PolicyFile) -> Response {
    let response = &file.response;
    Response {
        ietf: response.ietf,
        x_ratelimit_reset: response.x_ratelimit.map(|reset| match reset {
            ResetUnit::Delta => "delta",
            _ => "epoch",
        }),
        expose: response.expose,
        count_preflight: response.count_preflight,
        outage_retry_after: response.outage_retry_after.as_millis(),
    }
}

fn rule(policy: &Policy) -> Rule<'_> {
    let parts = policy.key().iter();
    let tiers = (0..).zip(policy.tiers());
    Rule {
        name: policy.name(),
        mode: match policy.mode() {
            Mode::Shadow => "shadow",
            Mode::Off => "off",
            _ => "enforce",
        },
        matches: tests(policy.when()),
        except: policy.exceptions().map(tests).collect(),
        key: parts
            .map(|part| part.alternatives().map(ToString::to_string).collect())
            .collect(),
        given: given(policy.allowance()),
        tiers: tiers
            .map(|(number, (when, allowance))| Tier {
                when: tests(when),
                given: given(allowance),
                local_limits: amounts(policy.local_limits(Some(number))),
            })
            .collect(),
        cost: units(policy.cost()),
        count_statuses: match policy.count() {
            Count::Failures(statuses) => Some(statuses.to_string()),
            _ => None,
        },
        missing_key: match policy.missing_key() {
            MissingKey::Skip => "skip",
            _ => "deny",
        },
        on_store_failure: match policy.on_store_failure() {
            OnStoreFailure::Deny => "deny",
            OnStoreFailure::Local(_) => "local",
            _ => "allow",
        },
        local_share: match policy.on_store_failure() {
            OnStoreFailure::Local(share) => Some(share.to_string()),
            _ => None,
        },
        local_limits: amounts(policy.local_limits(None)),
        hide_numbers: policy.hides_numbers(),
    }
}

fn tests(when: &When) -> Vec<Test<'_>> {
    let tests = when.tests().map(|(attribute, values)| Test {
        attribute,
        values: values
            .iter()
            .map(|value| words::public_value(attribute, value))
            .collect(),
    });
    tests.collect()
}

fn given(allowance: &Allowance) -> Given {
    match allowance {
        Allowance::Limits(limits) => Given {
            limits: amounts(limits),
            ..Given::default()
        },
        Allowance::Block => Given {
            block: true,
            ..Given::default()
        },
        _ => Given {
            unlimited: true,
            ..Given::default()
        },
    }
}

fn amounts(limits: &[Limit]) -> Vec<Amount> {
    let amounts = limits.iter().map(|limit| Amount {
        limit: limit.to_string(),
        means: limit.effective_rate().to_string(),
    });
    amounts.collect()
}

fn units(cost: Cost) -> Units {
    match cost {
        Cost::Attribute { name, max, default } => Units {
            attribute: Some(name),
            max,
            default,
        },
        Cost::Fixed(cost) => Units {
            attribute: None,
            max: cost,
            default: cost,
        },
        _ => Units {
            attribute: None,
            max: 1,
            default: 1,
        },
    }
}
