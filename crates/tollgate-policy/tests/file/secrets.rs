//! Nothing that is said of a file, and nothing that is printed of it, tells its secrets.

use tollgate_policy::file::PolicyFile;

const POLICY: &str = "[[policy]]\nname = 'api'\nkey = ['client.ip']\nlimits = ['10/s']\n";

/// All that is said of a file, and its URL as it is printed, if there is one.
fn said(text: &str, url: &str) -> (String, String) {
    let environment = |name: &str| (name == "REDIS_URL").then(|| url.to_owned());
    match PolicyFile::parse("test.toml", text, &environment) {
        Ok(file) => (
            format!("{}{:?}", file.warnings, file.store),
            file.store.url.to_string(),
        ),
        Err(found) => (found.to_string(), String::new()),
    }
}

/// URLs as they are wrong in practice, all of which hold `hunt` or `er2`.
const URLS: [&str; 10] = [
    "redis://:hunt\"er2@127.0.0.1:1",
    "redis://:hunt'er2@127.0.0.1:1",
    "redis://:hunt`er2@127.0.0.1:1",
    "redis://h/0#hunter2",
    "redis://h/0?password=hunter2",
    "redis://:hunt?er2@h",
    "redis:hunter2@host",
    "redis:/user:hunter2@host",
    "user:hunter2@host",
    "rediz://user:hunt\"er2@host",
];

#[test]
fn urls_are_told_without_their_secrets_wherever_they_come_from() {
    for url in URLS {
        let quoted = url.replace('\\', "\\\\").replace('"', "\\\"");
        for text in [
            format!("{POLICY}[store]\nurl = '${{REDIS_URL}}'\n"),
            format!("{POLICY}[store]\nurl = \"{quoted}\"\n"),
            format!("{POLICY}[store]\nurl = \"{quoted}\" # x\ntimeout = '1'\nurl = 5\n"),
            format!("{POLICY}store = {{ url = \"{quoted}\", timout = \"1s\" }}\n"),
        ] {
            let (said, printed) = said(&text, url);
            for part in ["hunt", "er2"] {
                assert!(!said.contains(part), "{text}\n{said}");
                assert!(!printed.contains(part), "{printed}");
            }
        }
    }
}

#[test]
fn whoever_writes_a_password_into_the_file_is_warned() {
    let is_warned = |url: &str| {
        let text = format!("{POLICY}[store]\nurl = \"{}\"\n", url.replace('"', "\\\""));
        said(&text, "")
            .0
            .contains("the password of the store stands in the file")
    };
    for url in URLS {
        assert!(is_warned(url), "{url}");
    }
    assert!(!is_warned("redis://h:6379/abc?foo=bar"));
    assert!(!is_warned("redis+unix:///s?db=1"));
}

#[test]
fn lines_with_secrets_show_none_whatever_is_wrong_on_them() {
    for line in [
        "match = { \"header.x-api-key\" = \"hunter2\", methd = \"POST\" }",
        "match = { \"header.authorization\" = [\"Bearer hunter2\", 5] }",
        "except = [{ cookie.sid = 'hunter2', path = 5 }]",
        "auth_token = 'hunter2'",
        "password = ['hunter2', 5]",
        "match.query.sig = 'hunter2' = 1",
        "\"hash_s\\u0065cret\" = \"hunter2\"",
        "[store]\nhash_secret = 'hunter2' x",
        "[store]\nhash_secret = [\n'hunter2', x]",
    ] {
        let text = format!("{POLICY}{line}\n");
        let (said, _) = said(&text, "");
        assert!(!said.contains("hunter2") && said.contains("***"), "{said}");
    }
}

#[test]
fn nothing_turns_or_hides_what_stands_beside_it() {
    for text in [
        format!("{POLICY}mode = 'a\u{202e}b\u{200b}c' # \u{2066}\n"),
        format!("{POLICY}match = {{ 'a\u{202e}b' = 'x' }}\n"),
        format!("{POLICY}[store]\nurl = 'redis://a\u{202e}b'\n"),
        format!("{POLICY}match = {{ 'client.ip' = '\u{202e}\u{feff}' }}\n"),
        "\u{202e}b = = '\u{202e}'\n".to_owned(),
    ] {
        let (said, printed) = said(&text, "");
        let all = format!("{said}{printed}");
        assert!(!all.is_empty());
        assert!(
            !all.contains(['\u{202e}', '\u{200b}', '\u{2066}', '\u{feff}']),
            "{all}"
        );
    }
}
