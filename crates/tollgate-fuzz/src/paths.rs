//! The normal form of paths, and the policies of a path.

mod naive;

use tollgate::MemoryStore;
use tollgate_policy::{
    AttributeMap, AttributeName, ClientAddress, Policy, PolicyLimiter, PolicySet, normalize_path,
};

use naive::Pattern;

/// The most policies of an input, and the most patterns of a policy.
const MAX: usize = 8;

/// The first line is a path, and after a tab a tenant. Each other line is a policy by its words: `!`
/// and a pattern that is excepted, `=` and a tenant, `M` and a method, or else a pattern.
///
/// The normal form is its own normal form, has no dots, no empty segments and nothing but printable
/// ASCII, and is what a second way makes of the path. The policies that are found are those that
/// match when each is tried, by a second way too.
pub fn paths(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    let mut lines = text.split('\n');
    let first = lines.next().unwrap_or("");
    let (path, tenant) = first.split_once('\t').unwrap_or((first, ""));
    check_normal_form(path);

    let lines: Vec<&str> = lines.take(MAX).collect();
    let policies = lines.iter().enumerate().filter_map(|(number, line)| {
        let tests = Tests::of(line);
        let policy = tests.policy(&format!("p{number}"))?;
        Some((policy, tests))
    });
    let (policies, tests): (Vec<Policy>, Vec<Tests<'_>>) = policies.unzip();
    let expected: Vec<usize> = (0..tests.len())
        .filter(|at| tests.get(*at).is_some_and(|tests| tests.hold(path, tenant)))
        .collect();

    let mut request = AttributeMap::new()
        .with(AttributeName::Method, "GET")
        .with(AttributeName::Path, path)
        .with_client(ClientAddress::new([192, 0, 2, 1].into()));
    if !tenant.is_empty() {
        request.set(AttributeName::Other("tenant".into()), tenant);
    }
    let Ok(set) = PolicySet::new(policies) else {
        return;
    };
    let limiter = PolicyLimiter::new(set, MemoryStore::builder().max_keys(64).build());
    let decision = limiter.decide_now(&request);
    let found: Vec<usize> = decision
        .policies()
        .map(|policy| policy.position())
        .collect();
    assert_eq!(found, expected, "policies of {path:?}");
}

fn check_normal_form(path: &str) {
    let normal = normalize_path(path);
    assert_eq!(normalize_path(&normal), normal, "of {path:?}");
    assert!(
        normal.bytes().all(|byte| byte.is_ascii_graphic()),
        "{normal}"
    );
    assert!(!normal.contains(['?', '#']), "{normal}");
    assert!(normal.len() <= 3 * path.len() + 1);
    if normal != "*" && normal != "/" {
        let segments = normal.strip_prefix('/').map(|inner| inner.split('/'));
        let is_plain = |segment: &str| !matches!(segment, "" | "." | "..");
        assert!(
            segments.is_some_and(|mut all| all.all(is_plain)),
            "{normal}"
        );
        assert_eq!(*normal, format!("/{}", naive::normal(path).join("/")));
    }
}

/// What a policy tests.
struct Tests<'t> {
    patterns: Vec<&'t str>,
    excepted: Vec<&'t str>,
    tenants: Vec<&'t str>,
    methods: Vec<&'t str>,
}

impl<'t> Tests<'t> {
    fn of(line: &'t str) -> Self {
        let (mut patterns, mut excepted, mut tenants, mut methods) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for word in line.split(' ').filter(|word| !word.is_empty()) {
            let (list, word) = match word.split_at_checked(1) {
                Some(("!", pattern)) => (&mut excepted, pattern),
                Some(("=", tenant)) => (&mut tenants, tenant),
                Some(("M", method)) => (&mut methods, method),
                _ => (&mut patterns, word),
            };
            if list.len() < MAX {
                list.push(word);
            }
        }
        Self {
            patterns,
            excepted,
            tenants,
            methods,
        }
    }

    /// The policy, if it can be.
    fn policy(&self, name: &str) -> Option<Policy> {
        let limit = "10/min".parse().ok()?;
        let mut builder = Policy::builder(name).key("client.ip").limit(limit);
        for (attribute, words) in [
            ("path", &self.patterns),
            ("tenant", &self.tenants),
            ("method", &self.methods),
        ] {
            if !words.is_empty() {
                builder = builder.matches(attribute, words.clone());
            }
        }
        if !self.excepted.is_empty() {
            builder = builder.except("path", self.excepted.clone());
        }
        match builder.build() {
            Ok(policy) => Some(policy),
            Err(error) => {
                assert!(!error.to_string().is_empty());
                None
            }
        }
    }

    fn hold(&self, path: &str, tenant: &str) -> bool {
        let (normal, served) = (naive::normal(path), naive::served(path));
        let any = |patterns: &[&str], form: &[String]| {
            let mut patterns = patterns.iter().map(|pattern| Pattern::of(pattern));
            patterns.any(|pattern| pattern.matches(form))
        };
        let is_tenant = |pattern: &&str| naive::glob(pattern, tenant);
        let matches = self.patterns.is_empty()
            || any(&self.patterns, &normal)
            || any(&self.patterns, &served);
        let is_excepted = any(&self.excepted, &normal) && any(&self.excepted, &served);
        matches
            && !is_excepted
            && (self.methods.is_empty() || self.methods.contains(&"GET"))
            && (self.tenants.is_empty() || !tenant.is_empty() && self.tenants.iter().any(is_tenant))
    }
}
