use super::*;

fn parse(url: &str) -> Target {
    Target::parse(url).unwrap()
}

fn error(url: &str) -> String {
    Target::parse(url).unwrap_err().to_string()
}

fn endpoint(host: &str, port: u16) -> Endpoint {
    Endpoint {
        host: host.to_owned(),
        port,
    }
}

fn login(user: Option<&str>, password: Option<&str>) -> Login {
    Login {
        user: user.map(str::to_owned),
        password: password.map(str::to_owned),
    }
}

#[test]
fn reads_one_server() {
    for scheme in ["redis", "valkey", "rediss", "valkeys"] {
        let target = parse(&format!("{scheme}://cache.example"));
        assert_eq!(target.place, Place::Server(endpoint("cache.example", 6379)));
        assert_eq!(target.is_tls, scheme.ends_with('s') && scheme != "redis");
        assert_eq!(target.login, Login::default());
        assert_eq!(target.database, 0);
    }
    assert!(parse("RedisS://host").is_tls, "schemes have no case");
    let target = parse("redis://127.0.0.1:7000/5");
    assert_eq!(target.place, Place::Server(endpoint("127.0.0.1", 7000)));
    assert_eq!(target.database, 5);
    for url in ["redis://[2001:db8::1]:7000", "redis://[2001:db8::1]:7000/"] {
        assert_eq!(
            parse(url).place,
            Place::Server(endpoint("2001:db8::1", 7000))
        );
    }
}

#[test]
fn decodes_users_and_passwords() {
    let target = parse("redis://ann%40example:p%3Aa%2Fs%23s%3F%25@host");
    assert_eq!(target.login, login(Some("ann@example"), Some("p:a/s#s?%")));
    assert_eq!(
        parse("redis://:a@b:c@host").login,
        login(None, Some("a@b:c"))
    );
    assert_eq!(parse("redis://:@host").login, Login::default());
}

#[test]
fn reads_sockets() {
    for scheme in ["redis+unix", "valkey+unix", "unix"] {
        let target = parse(&format!(
            "{scheme}:///run/my%20redis.sock?db=3&user=ann&pass=a%26b"
        ));
        assert_eq!(target.place, Place::Socket("/run/my redis.sock".into()));
        assert_eq!(target.database, 3);
        assert_eq!(target.login, login(Some("ann"), Some("a&b")));
    }
}

#[test]
fn reads_sentinels() {
    let target = parse(
        "redis-sentinel://app:secret@one,two:7001,[::1]:7002/my%20master/2?sentinel_password=s%2Bs&sentinel_user=watch",
    );
    assert_eq!(
        target.place,
        Place::Sentinel {
            sentinels: vec![
                endpoint("one", 26379),
                endpoint("two", 7001),
                endpoint("::1", 7002)
            ],
            master: "my master".to_owned(),
        }
    );
    assert_eq!(target.login, login(Some("app"), Some("secret")));
    assert_eq!(target.sentinel_login, login(Some("watch"), Some("s+s")));
    assert_eq!(target.database, 2);
    for scheme in ["rediss-sentinel", "valkeys-sentinel"] {
        assert!(parse(&format!("{scheme}://one/master")).is_tls);
    }
    assert_eq!(
        parse("valkey-sentinel://one/master").sentinel_login,
        Login::default()
    );
}

#[test]
fn reads_clusters() {
    let target = parse("redis-cluster://:secret@one:7001,two");
    assert_eq!(
        target.place,
        Place::Cluster(vec![endpoint("one", 7001), endpoint("two", 6379)])
    );
    assert_eq!(target.login, login(None, Some("secret")));
    assert!(!target.is_tls);
    for scheme in ["rediss-cluster", "valkeys-cluster"] {
        assert!(parse(&format!("{scheme}://one")).is_tls);
    }
    assert_eq!(parse("redis-cluster://one/0").database, 0);
}

/// Each with a word that its error must say.
const WRONG: [(&str, &str); 28] = [
    ("", "scheme"),
    ("localhost:6379", "scheme"),
    ("http://s3cret@host", "scheme"),
    ("redis//:s3cret@host", "scheme"),
    ("redis://", "host"),
    ("redis://:s3cret@", "host"),
    ("redis://:7000", "host"),
    ("redis://s3cret host", "host"),
    ("redis://host:port", "port"),
    ("redis://host:0", "port"),
    ("redis://host:65536", "port"),
    ("redis://host:s3cret@", "host"),
    ("redis://host:", "port"),
    ("redis://::1", "[ADDRESS]"),
    ("redis://[::1", "bracket"),
    ("redis://[s3cret]", "brackets"),
    ("redis://[::1]7000", "port"),
    ("redis://:s3/cret@host", "port"),
    ("redis://one,two", "redis-cluster://"),
    ("redis://s3cret@host", "PASSWORD"),
    ("redis://:s3%ffcret@host", "password"),
    ("redis://host/s3cret", "database"),
    ("redis://host/-1", "database"),
    ("redis://host?s3cret=s3cret", "parameter"),
    ("rediss://host#s3cret", "fragment"),
    ("redis+unix://host/s3cret", "no host"),
    ("redis-sentinel://one", "master"),
    ("redis-cluster://one/1", "only one"),
];

#[test]
fn says_which_part_is_wrong_and_never_repeats_it() {
    for (url, word) in WRONG {
        // A slash that is not encoded is met at the port before it, or at the @ after it.
        let error = error(url);
        assert!(error.starts_with("not the url of a redis: "), "{error}");
        assert!(
            error.contains(word) || url.contains("s3/cret") && error.contains('@'),
            "{url}: {error}"
        );
        assert!(!error.contains("s3"), "{url}: {error}");
    }
    assert!(error("redis+unix://").contains("path"));
    assert!(
        error("redis-sentinel://one/m?sentinel_password=a&sentinel_password=b").contains("twice")
    );
}

#[test]
fn shows_no_password() {
    let target = parse("redis-sentinel://app:s3cret@one/master?sentinel_password=s3cret");
    assert!(!format!("{target:?}").contains("s3cret"), "{target:?}");
    assert!(format!("{target:?}").contains("app"), "{target:?}");
}
