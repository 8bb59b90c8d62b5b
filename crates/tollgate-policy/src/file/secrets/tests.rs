use super::*;

/// A text with its secrets hidden.
fn shown(text: &str) -> String {
    let (root, errors) = DeTable::parse_recoverable(text);
    let secrets = Secrets::of(text, root.get_ref(), errors.is_empty());
    covered(text, &secrets.spans, MASK)
}

fn is_hidden(text: &str) {
    for secret in ["hunter2", "unter2", "hunt", "er2"] {
        assert!(
            !shown(text).contains(secret),
            "{text}\nis shown as\n{}",
            shown(text)
        );
    }
}

#[test]
fn values_of_secret_fields_are_hidden_however_they_are_written() {
    for (text, expected) in [
        (
            "a = 1\nhash_secret = \"hunter2\"\n",
            "a = 1\nhash_secret = \"***\"\n",
        ),
        ("hash_secret = \"${X}\"", "hash_secret = \"${X}\""),
        ("hash_secret = \"${X:-hunter2}\"", "hash_secret = \"***\""),
        (
            "store = { hash_secret = 'x', prefix = 'p' }",
            "store = { hash_secret = '***', prefix = 'p' }",
        ),
        (
            "store.hash_secret = [\"hunter2\", 5]",
            "store.hash_secret = [\"***\", ***]",
        ),
        (
            "\"hash_s\\u0065cret\" = 'hunter2'",
            "\"hash_s\\u0065cret\" = '***'",
        ),
        (
            "hash_secret = [\n  'hunter2'\n]",
            "hash_secret = [\n  '***'\n]",
        ),
        (
            "hash_secret = \"\"\"a\nb\"\"\"\nc = 1",
            "hash_secret = \"\"\"***\"\"\"\nc = 1",
        ),
        ("hash_secret = \"hun\\\"ter2\"", "hash_secret = \"***\""),
        ("auth_token = 1234", "auth_token = ***"),
        ("pass.word = 'hunter2'", "pass.word = '***'"),
        ("[auth]\nlimits = '10/mim'", "[auth]\nlimits = '10/mim'"),
        (
            "[[policy]]\nkey = ['client.ip']",
            "[[policy]]\nkey = ['client.ip']",
        ),
    ] {
        assert_eq!(shown(text), expected);
    }
}

#[test]
fn values_that_secret_attributes_are_tested_for_are_hidden() {
    for (text, expected) in [
        (
            "match={\"header.x-api-key\"=\"hunter2\", methd=\"POST\"}",
            "match={\"header.x-api-key\"=\"***\", methd=\"POST\"}",
        ),
        (
            "match.\"header.authorization\"=[\"Bearer hunter2\",5]",
            "match.\"header.authorization\"=[\"***\",***]",
        ),
        (
            "[match.header]\nx-key = 'hunter2'",
            "[match.header]\nx-key = '***'",
        ),
        (
            "except = [{ query.sig = 'hunter2' }]",
            "except = [{ query.sig = '***' }]",
        ),
        (
            "when = { api.key = 'hunter2', plan = 'pro' }",
            "when = { api.key = '***', plan = 'pro' }",
        ),
    ] {
        assert_eq!(shown(text), expected);
    }
}

#[test]
fn secrets_of_urls_are_hidden_wherever_they_stand() {
    for text in [
        "[store]\nurl = 'redis://:hunt\"er2@h'",
        "[store]\nurl = \"redis://:hunt'er2@h\"",
        "[store]\nurl = 'redis://:hunt`er2@h'",
        "[store]\nurl = 'redis://h/0#hunter2'",
        "[store]\nurl = 'redis://h/0?password=hunter2'",
        "[store]\nurl = 'redis:hunter2@host'",
        "[store]\nurl = 'redis:/user:hunter2@host'",
        "[store]\nurl = 'user:hunter2@host'",
        "[store]\nurl = \"redis:\\u002f/:hunter2@h\"",
        "[store]\nprefix = 'user:hunter2@host'",
        "store.url = [\"redis:hunter2@host\"]",
        "# url = redis://:hunter2@h",
        "# password: hunter2",
        "x = 1 # hash_secret = 'hunter2'",
        "[\"redis://:hunter2@h\"]\na = 1",
        "['redis://:hunter2@h'.b]\n['redis://:hunter2@h'.c]",
    ] {
        is_hidden(text);
    }
}

#[test]
fn what_is_no_toml_hides_more_rather_than_less() {
    for text in [
        "= \nhash_secret = \"hunter2\"",
        "hash_secret = hunter2",
        "hash_secret = \"hunter2",
        "hash_secret = \"hun\"hunter2",
        "hash_secret =\n\"hunter2\"",
        "x = = 1\nhash_secret = [\n\"]\",\n  \"hunter2\",\n]",
        "x = = 1\n\"hash_s\\u0065cret\" = \"hunter2\"",
        "x = = 1, auth_token = 'hunter2'",
        "store = { password = 'hunter2' url = 1 }",
        "match = { \"header.x-api-key\" = \"hunter2\" methd = 'POST' }",
        "[match.header]\nx-key = 'hunter2' = 1",
        "password: hunter2",
        "{ \"password\": \"hunter2\", }",
        "url = redis:hunter2@host",
        "passwd = x \"hash_s\\u0065cret\" = [\n\"hunter2\"]",
        "hash_secret = 'x' # token: hunter2\nx = = 1",
        "url: user:hunter2@host",
        "url = \"redis://:hunter2\nx@h\"",
        "url = \"redis://:x@hunter2\" @h",
        "x = = 1, match = { api.key = 'hunter2' }",
        "url = 'redis://:hunt'er2@h'",
        "= redis://:hunter2@h",
        "hash_secret = \"\"\"a\nhunter2",
        "# hash_secret = \"a\nx = = 1 # token: hunter2",
    ] {
        is_hidden(text);
    }
}

#[test]
fn a_user_named_for_a_secret_hides_no_more_than_another() {
    for user in ["limits", "secret", "my-password"] {
        let text = format!("url = \"redis://{user}:pass@h:6379/0\"\n");
        assert_eq!(shown(&text), "url = \"redis://***@h:6379/0\"\n");
    }
}

#[test]
fn messages_lose_the_secrets_of_urls() {
    assert_eq!(
        masked("write `redis://:hunt'er2@h`"),
        "write `redis://***@h`"
    );
    assert_eq!(masked("a\nredis://h?x\n"), "a\nredis://h?***");
    assert_eq!(masked("redis://h"), "redis://h");
}

#[test]
fn only_the_secret_among_the_fields_sounds_so() {
    use crate::file::fields::{CLIENT, COST, POLICY, RESPONSE, STORE, TIER};
    let shapes = [&STORE, &CLIENT, &RESPONSE, &POLICY, &TIER, &COST];
    let names = shapes
        .iter()
        .flat_map(|shape| shape.fields)
        .map(|field| field.name);
    let secret: Vec<&str> = names
        .filter(|name| crate::secret_names::sounds_secret(name))
        .collect();
    assert_eq!(secret, ["hash_secret"]);
}
