//! Files that are right, and what they mean.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tollgate::Limit;
use tollgate_policy::file::{PolicyFile, ResetUnit, StoreKind, StoreSettings};
use tollgate_policy::{
    Allowance, AttributeName, ClientIdentity, Cost, Count, ForwardingHeader, MissingKey, Mode,
    OnStoreFailure, Policy, Statuses, When, WhenHeaderMissing,
};

use crate::golden::environment;

const LEAST: &str = "[[policy]]\nname = \"api\"\nkey = \"client.ip\"\nlimits = \"60/min\"\n";

fn parse(text: &str) -> PolicyFile {
    PolicyFile::parse("test.toml", text, &environment).unwrap_or_else(|found| panic!("{found}"))
}

fn right(name: &str) -> PolicyFile {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/file/right");
    parse(&fs::read_to_string(path.join(name)).unwrap())
}

fn limit(text: &str) -> Limit {
    text.parse().unwrap()
}

#[test]
fn the_example_of_the_design_means_what_it_says() {
    let file = right("example.toml");
    assert_eq!(file.warnings.to_string(), "");
    assert_eq!(file.store.url.expose(), "redis://127.0.0.1:6379");
    assert_eq!(file.store.timeout, Duration::from_millis(100));
    let client = ClientIdentity::builder().trusted_proxy("10.0.0.0/8");
    assert_eq!(file.client, client.build().unwrap());
    assert!(file.response.ietf);
    assert_eq!(file.response.x_ratelimit, Some(ResetUnit::Epoch));
    let auth = Policy::builder("auth")
        .path("/auth/**")
        .key("client.ip")
        .limit(limit("10/min fixed-window"))
        .on_store_failure(OnStoreFailure::Deny);
    let read = Policy::builder("api-read")
        .method(["GET", "HEAD"])
        .path(["/places/**", "/reviews/**"])
        .except("client.ip", "192.0.2.0/24")
        .key("user or client.ip")
        .limits([limit("60/min"), limit("1000/h sliding-window")])
        .tier(When::is("user.plan", "pro"), [limit("600/min")]);
    let policies = [auth.build().unwrap(), read.build().unwrap()];
    assert_eq!(file.policies.policies(), policies);
}

#[test]
fn every_setting_can_be_written() {
    let file = right("everything.toml");
    let store = &file.store;
    assert_eq!(store.url.kind(), StoreKind::Redis);
    assert_eq!(store.url.expose(), "redis://:hunter2@redis.internal:6379");
    assert_eq!(store.timeout, Duration::from_millis(250));
    assert_eq!((store.max_waiting, store.max_failures), (10, 3));
    assert_eq!(store.denial_cache, 0);
    assert_eq!(store.prefix, "shop:limits");
    let secret = store.hash_secret.as_ref().unwrap();
    assert_eq!(secret.expose(), "correct horse battery staple");
    assert_eq!((store.max_keys, store.max_log_bytes), (5_000, 1 << 20));

    let client = ClientIdentity::builder()
        .trusted_proxies(["10.0.0.0/8", "2001:db8:ffff::/48"])
        .header(ForwardingHeader::Single("x-real-ip".into()))
        .ipv6_prefix(56)
        .trust_unix_peer(true)
        .when_header_missing(WhenHeaderMissing::Missing);
    assert_eq!(file.client, client.build().unwrap());

    let response = &file.response;
    assert!(!response.ietf && response.expose && response.count_preflight);
    assert_eq!(response.x_ratelimit, Some(ResetUnit::Delta));
    assert_eq!(response.outage_retry_after, Duration::from_secs(10));
}

#[test]
fn everything_that_a_policy_can_be_can_be_written() {
    let file = right("everything.toml");
    let login = Policy::builder("login")
        .method("POST")
        .path("/auth/**")
        .matches("host", "*.example.com")
        .except("path", "/auth/status")
        .except_when(
            When::is("client.ip", ["192.0.2.0/24", "2001:db8::1"]).and("user.plan", "staff"),
        )
        .key("client.ip")
        .key("user or header.x-device")
        .limit(limit("10/min fixed-window anchor first-request"))
        .count(Count::Failures(Statuses::in_ranges([
            401..=401,
            403..=403,
            420..=429,
            500..=599,
        ])))
        .missing_key(MissingKey::Skip)
        .mode(Mode::Shadow)
        .on_store_failure(OnStoreFailure::Deny)
        .hide_numbers(true);
    let search = Policy::builder("search")
        .matches("route", "/search/{kind}")
        .matches("client.ip", "203.0.113.0/24")
        .matches("header.x-plan", ["a*", "b"])
        .key("user")
        .unlimited()
        .cost(Cost::Attribute {
            name: "search.cost".to_owned(),
            min: 1,
            max: 100,
            default: 5,
        })
        .tier(
            When::is("user.plan", "free"),
            [limit("100/min burst 200"), limit("5000/d sliding-log")],
        )
        .tier(When::is("user.plan", "banned"), Allowance::Block)
        .tier(When::always(), Allowance::Unlimited);
    let all = Policy::builder("all")
        .shared()
        .limit(limit("1000/s"))
        .cost(Cost::Fixed(2))
        .count(Count::Failures(Statuses::default()))
        .mode(Mode::Off);
    let closed = Policy::builder("closed").path("/$admin/**").block();
    for (number, expected) in [login, search, all, closed].into_iter().enumerate() {
        assert_eq!(file.policies.policies()[number], expected.build().unwrap());
    }
}

#[test]
fn what_is_left_out_has_its_default() {
    let file = right("least.toml");
    assert_eq!(file.store, StoreSettings::default());
    assert_eq!(file.client, ClientIdentity::default());
    assert_eq!(
        file.response,
        tollgate_policy::file::ResponseSettings::default()
    );
    assert!(file.warnings.is_empty());
}

#[test]
fn variables_have_defaults_and_dollars_can_be_written() {
    let with = |prefix: &str| {
        let store = format!("[store]\nurl = \"redis://h\"\nprefix = \"{prefix}\"\n");
        parse(&format!("{store}{LEAST}")).store.prefix
    };
    assert_eq!(with("${NOTHING:-limits}"), "limits");
    assert_eq!(with("${EMPTY:-limits}"), "limits");
    assert_eq!(with("a-${KEYS}-b:${KEYS}"), "a-5000-b:5000");
    let text = LEAST.replace("limits", "match = { path = \"/$${KEYS}\" }\nlimits");
    let expected = Policy::builder("api")
        .path("/${KEYS}")
        .key("client.ip")
        .limit(limit("60/min"))
        .build()
        .unwrap();
    assert_eq!(parse(&text).policies.policies(), [expected]);
}

#[test]
fn a_local_share_is_read() {
    for share in ["1/4", "25%", "0.25", "1", "100%"] {
        let local = format!("on_store_failure = \"local\"\nlocal_share = \"{share}\"\n");
        parse(&format!("{LEAST}{local}"));
    }
}

#[test]
fn files_that_say_the_same_are_equal() {
    let file = right("example.toml");
    assert_eq!(file, right("example.toml"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/file/right/example.toml");
    let text = fs::read_to_string(path).unwrap();
    let other = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        parse(&text.replace(from, to))
    };
    assert_eq!(
        file,
        other("[response]", "# What responses say.\n\n[response]")
    );
    assert_eq!(file, other("ipv6_prefix = 64\n", ""));
    for (from, to) in [
        ("127.0.0.1", "127.0.0.2"),
        ("10.0.0.0/8", "10.0.0.0/9"),
        ("\"ietf\", ", ""),
        ("10/min", "11/min"),
        ("600/min", "601/min"),
        ("/reviews/**", "/reviews/*"),
        ("\"deny\"", "\"allow\""),
    ] {
        assert_ne!(file, other(from, to), "{from}");
    }
}

#[test]
fn no_debug_shows_a_secret() {
    let debug = format!("{:?}", right("everything.toml"));
    assert!(debug.contains("redis://***@redis.internal:6379"), "{debug}");
    assert!(!debug.contains("hunter2") && !debug.contains("correct horse"));
    let inline = format!("store.url = \"redis://:hunter2@h\"\n{LEAST}");
    assert!(!format!("{:?}", parse(&inline)).contains("hunter2"));
}

#[test]
fn secrets_in_keys_are_hashed_with_the_secret_of_the_file() {
    use tollgate::MemoryStore;
    use tollgate_policy::{AttributeMap, PolicyLimiter, PolicySet};

    // The store of another process with the same secret counts what this one counted.
    let key = LEAST.replace("client.ip", "header.x-api-key");
    let text = format!(
        "[store]\nhash_secret = \"${{SECRET}}\"\n{}",
        key.replace("60", "1")
    );
    let store = std::sync::Arc::new(MemoryStore::default());
    let request = AttributeMap::new().with("header.x-api-key".parse().unwrap(), "k");
    let allows = |set: PolicySet| {
        PolicyLimiter::new(set, store.clone())
            .decide_now(&request)
            .is_allowed()
    };
    assert!(allows(parse(&text).policies));
    assert!(!allows(parse(&text).policies));
    assert!(allows(
        parse(&text.replace("[store]\nhash_secret = \"${SECRET}\"\n", "")).policies
    ));
}

fn scratch(name: &str, bytes: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn a_file_is_read_by_its_path() {
    let path = scratch("policies.toml", LEAST.as_bytes());
    let file = PolicyFile::read(&path).unwrap();
    assert_eq!(file, parse(LEAST));
    let wrong = scratch("wrong.toml", LEAST.replace("60", "x").as_bytes());
    let said = PolicyFile::read(&wrong).unwrap_err().to_string();
    assert!(said.contains("wrong.toml:4:11"), "{said}");
}

#[test]
fn a_file_is_read_from_whatever_holds_it() {
    let file = PolicyFile::from_reader("standard input", LEAST.as_bytes()).unwrap();
    assert_eq!(file, parse(LEAST));
    let said = PolicyFile::from_reader("standard input", &b"\xff"[..]).unwrap_err();
    assert!(said.to_string().contains("line 1 is not UTF-8"), "{said}");
}

// B119
#[test]
fn a_file_that_is_being_written_is_an_error() {
    let path = scratch("empty.toml", b"");
    let said = PolicyFile::read(path).unwrap_err().to_string();
    assert!(said.contains("no policy"), "{said}");
}

#[test]
fn a_file_that_cannot_be_read_is_named_with_a_remedy_and_without_a_line() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let bytes = scratch("bytes.toml", b"# a\n# \xff\n");
    let wide = scratch("wide.toml", b"\xff\xfe#\0\n\0");
    let large = scratch("large.toml", &[b'#'; (4 << 20) + 1]);
    for (path, why, help) in [
        (
            directory.join("missing.toml"),
            "there is no such file",
            "check its path",
        ),
        (
            PathBuf::from("missing.toml"),
            "there is no such file",
            "check its path, which begins in the current directory",
        ),
        (
            bytes.join("a.toml"),
            "a part of its path is a file, not a directory",
            "check each part of the path",
        ),
        (
            directory.to_owned(),
            "it is a directory",
            "name the file in it, such as `DIRECTORY/tollgate.toml`",
        ),
        (
            bytes,
            "line 2 is not UTF-8",
            "save it as UTF-8, or write that line anew",
        ),
        (wide, "it is UTF-16", "save it as UTF-8"),
        (
            large,
            "it is larger than 4 MiB",
            "see whether it is the file that was meant: ten thousand policies are smaller",
        ),
    ] {
        let found = PolicyFile::read(&path).unwrap_err();
        let name = path.display();
        let said =
            format!("error: the file cannot be read: {why}\n --> {name}\n  = help: {help}\n");
        assert_eq!(found.to_string(), said);
        assert!(!found.source().is_read());
    }
    let empty = PolicyFile::read(scratch("empty-but-read.toml", b"")).unwrap_err();
    assert!(empty.source().is_read());
}

#[test]
fn no_message_shows_a_part_of_a_secret() {
    let environment = |name: &str| match name {
        "A_TOKEN" => Some("abcd".to_owned()),
        "B_TOKEN" => Some("xabcdx".to_owned()),
        "C_TOKEN" => Some(format!("long-{}", "y'\t".repeat(60))),
        _ => None,
    };
    let text = LEAST.replace("client.ip", "${B_TOKEN} ${A_TOKEN} b")
        + "mode = \"${C_TOKEN}\"\nmissing_key = \"${A_TOKEN}\"\n";
    let found = PolicyFile::parse("test.toml", &text, &environment).unwrap_err();
    let said = format!("{found}{found:?}");
    assert_eq!(found.errors(), 3);
    for part in ["abcd", "x***", "***x", "long-", "y'"] {
        assert!(!said.contains(part), "{part} in {said}");
    }
}

/// The environment chooses what happens when the store fails, and the share waits for its turn.
#[test]
fn a_share_may_stand_where_the_environment_chooses() {
    let text = "[[policy]]\nname = 'api'\nkey = 'client.ip'\nlimits = '60/min'\n\
                on_store_failure = '${FAILURE:-deny}'\nlocal_share = '1/2'";
    let parse = |text: &str, choice: Option<&'static str>| {
        PolicyFile::parse("x", text, &move |_: &str| choice.map(ToOwned::to_owned))
    };
    let chosen = |choice| {
        let file = parse(text, choice).unwrap();
        assert!(file.warnings.is_empty());
        file.policies.policies()[0].on_store_failure()
    };
    let half = "1/2".parse().unwrap();
    assert_eq!(chosen(None), OnStoreFailure::Deny);
    assert_eq!(chosen(Some("local")), OnStoreFailure::Local(half));
    assert_eq!(chosen(Some("allow")), OnStoreFailure::Allow);
    // A mistake is not kept for the other environment.
    let wrong = text.replace("1/2", "2/1");
    assert!(parse(&wrong, None).is_err());
    assert!(parse(&wrong, Some("local")).is_err());
    // Where the file itself chooses, it is a mistake as before.
    assert!(parse(&text.replace("${FAILURE:-deny}", "deny"), None).is_err());
}

#[test]
fn no_message_shows_what_was_cut_off_a_secret() {
    let environment = |name: &str| match name {
        "A_TOKEN" => Some("hunter2hunter2".to_owned()),
        "PLACE" => Some("redis://:hunter2hunter2@redis".to_owned()),
        _ => None,
    };
    let long = "x".repeat(45);
    for line in [
        // The parser takes each `=` for the end of a name.
        "url = redis://user:p=hunter2hunter2=x@redis".to_owned(),
        "password = a=hunter2hunter2=b".to_owned(),
        "a = redis://redis?password=hunter2hunter2\\u0011x".to_owned(),
        // A comment begins inside it.
        "password = hunter2hunter2#3".to_owned(),
        // Messages cut what is long.
        format!("mode = \"{long}${{A_TOKEN}}\""),
        format!("mode = \"{long}${{PLACE}}\""),
        format!("mode = \"{long}redis://:hunter2hunter2@redis\""),
        format!("{long}hash_secret = \"hunter2hunter2\"\nmode = \"{long}hunter2hunter2\""),
    ] {
        let text = format!("{LEAST}{line}\n");
        let found = PolicyFile::parse("test.toml", &text, &environment).unwrap_err();
        for one in &found {
            let said = format!("{} {:?}", one.message, one.help);
            assert!(!said.contains("hunter"), "{said} of {line}");
        }
    }
}

#[test]
fn what_the_environment_fills_is_shown_as_it_is_written() {
    let text = "[[policy]]
name = \"api\"
match = { \"header.x-plan\" = [\"${PLAN}\", \"a-${PLAN}-$$b\", \"gold\"], path = \"${ROOT:-/api}/**\" }
except = { \"header.x-plan\" = \"free ${PLAN}\" }
key = \"client.ip\"
limits = \"60/min\"
tiers = [{ when = { \"user.plan\" = \"pro ${PLAN}\" }, limits = \"600/min\" }]
";
    let environment = |name: &str| (name == "PLAN").then(|| "hunter2".to_owned());
    let file = PolicyFile::parse("test.toml", text, &environment).unwrap();
    let plan: AttributeName = "header.x-plan".parse().unwrap();
    let tier: AttributeName = "user.plan".parse().unwrap();
    for (attribute, value, written) in [
        (&plan, "hunter2", "${PLAN}"),
        (&plan, "a-hunter2-$b", "a-${PLAN}-$b"),
        (&plan, "free hunter2", "free ${PLAN}"),
        (&plan, "gold", "gold"),
        (&tier, "pro hunter2", "pro ${PLAN}"),
        // Of another attribute it is another value.
        (&tier, "hunter2", "hunter2"),
        // What stands in the file for a variable that is not set, is no secret.
        (&AttributeName::Path, "/api/**", "/api/**"),
    ] {
        assert_eq!(file.as_written(attribute, value), written);
    }
    let other = |name: &str| (name == "PLAN").then(|| "hunter3".to_owned());
    assert_ne!(file, PolicyFile::parse("test.toml", text, &other).unwrap());
}
