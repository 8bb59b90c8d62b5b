//! The policy file.

use std::fmt::Debug;

use tollgate_policy::file::{Diagnostics, PolicyFile};
use tollgate_policy::{AttributeName, When};

/// A secret that is planted, and nothing else in the file.
const SECRET: &str = "Zq7xKv93WjQ8";

/// So many characters of the secret are as good as all of it.
const SHOWN: usize = 6;

/// What characters that no file has stand for: places where people write secrets.
const PLANTED: [(char, &str); 11] = [
    ('\u{1}', "redis://user:SECRET@host:6379/0?password=SECRET"),
    ('\u{2}', "hash_secret = \"SECRET\"\n"),
    ('\u{3}', "\n[store]\nurl = \"redis://:SECRET@host\"\n"),
    (
        '\u{4}',
        "\n[store]\nurl = 'redis://:a\"SECRET`@h/0#SECRET'\n",
    ),
    (
        '\u{5}',
        "\n[store]\nurl = \"redis:\\u002f/:SECRET@host\" # password: SECRET\n",
    ),
    ('\u{6}', "\"hash_s\\u0065cret\" = [\n\"SECRET\"]\n"),
    ('\u{7}', "\nstore.url = 'user:SECRET@host'\n"),
    ('\u{e}', "\n[store]\nurl = 'redis:/user:SECRET@host'\n"),
    (
        '\u{f}',
        "match = { \"header.x-api-key\" = \"SECRET\", methd = \"POST\" }\n",
    ),
    (
        '\u{10}',
        "except = [{ \"header.authorization\" = [\"Bearer SECRET\", 5] }]\n",
    ),
    ('\u{11}', "\nauth_token = 'SECRET'\n"),
];

/// The text of a policy file, with secrets planted in it and in the environment.
///
/// It is answered; every place that is named is a place of the text; and no secret is in what is said
/// of it, not even a part, nor in what may be shown of its tests.
pub fn policy_file(data: &[u8]) {
    let Ok(written) = str::from_utf8(data) else {
        return;
    };
    if holds_secret(written) {
        return;
    }
    let mut text = written.to_owned();
    for (mark, planted) in PLANTED {
        text = text.replace(mark, &planted.replace("SECRET", SECRET));
    }
    match PolicyFile::parse("fuzz.toml", &text, &environment) {
        Ok(file) => {
            check(&text, &file.warnings);
            assert_eq!(file.warnings.errors(), 0);
            is_silent(&file.store.url.to_string());
            is_silent(&debug(&file.store));
            // What the file holds itself is no secret of the environment's.
            if !holds_secret(&text) {
                check_written(&file);
            }
            let again = PolicyFile::parse("fuzz.toml", &text, &environment);
            assert_eq!(again.as_ref(), Ok(&file));
        }
        Err(found) => {
            assert!(found.errors() > 0);
            check(&text, &found);
        }
    }
}

/// Variables that hold a secret, by their name or by being a URL, and some that do not.
fn environment(name: &str) -> Option<String> {
    Some(match name {
        "SECRET" | "REDIS_PASSWORD" | "API_KEY" => SECRET.to_owned(),
        "URL" => format!("redis://:{SECRET}@redis.internal:6379"),
        "WRONG_URL" => format!("rediz://user:{SECRET}@redis.internal:6379"),
        "MODE" => "shadowy".to_owned(),
        "NUMBER" => "5000".to_owned(),
        "EMPTY" => String::new(),
        _ => return None,
    })
}

/// What a file takes from the environment for its tests is shown as it is written.
fn check_written(file: &PolicyFile) {
    for policy in file.policies.policies() {
        let tiers = policy.tiers().map(|(when, _)| when);
        let conditions = tiers.chain(policy.exceptions()).chain([policy.when()]);
        for (name, values) in conditions.flat_map(When::tests) {
            let attribute: AttributeName = name.parse().unwrap_or(AttributeName::Path);
            for value in values {
                is_silent(file.as_written(&attribute, value));
            }
        }
    }
}

fn check(text: &str, found: &Diagnostics) {
    for one in found {
        let related = one.related.iter().map(|related| &related.span);
        for span in related.chain([&one.span]) {
            assert!(text.get(span.clone()).is_some(), "{span:?} of {text:?}");
            let place = found.source().position(span.start);
            assert!(place.line > 0 && place.column > 0);
        }
        assert!(!one.message.is_empty() && one.help.as_deref() != Some(""));
    }
    let said = found.to_string();
    assert_eq!(said.is_empty(), found.is_empty());
    is_silent(&said);
    is_silent(&debug(found));
    // All messages as they are, also where there are more than are printed.
    for one in found {
        is_silent(&one.message);
        is_silent(one.help.as_deref().unwrap_or_default());
        let related = one.related.iter();
        related.for_each(|related| is_silent(&related.message));
        // Marks that are made while a file is read are none of anybody else's.
        let marks = ['\u{fdd0}', '\u{fdd1}', '\u{fdd2}'];
        assert!(
            text.contains(marks) || !one.message.contains(marks),
            "{}",
            one.message
        );
    }
}

fn debug(value: &dyn Debug) -> String {
    format!("{value:?}")
}

fn is_silent(said: &str) {
    assert!(!holds_secret(said), "tells a secret:\n{said}");
}

/// Whether a part of the secret is in a text.
fn holds_secret(text: &str) -> bool {
    let parts = (0..=SECRET.len() - SHOWN).filter_map(|at| SECRET.get(at..at + SHOWN));
    parts.into_iter().any(|part| text.contains(part))
}
