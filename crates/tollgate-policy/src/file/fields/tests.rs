use super::*;
use crate::file::PolicyFile;
use crate::file::field::Field;
use crate::file::reference::is_code;

const POLICY_FIELDS: [(&str, &str); 3] = [
    ("name", "\"api\""),
    ("key", "[\"client.ip\"]"),
    ("limits", "[\"60/min\"]"),
];

fn parse(text: &str) -> PolicyFile {
    let environment = |_: &str| Some("a value that is long enough".to_owned());
    PolicyFile::parse("test.toml", text, &environment).unwrap_or_else(|found| panic!("{found}"))
}

/// A policy with one more field, or with another value of one.
fn policy(field: &str, value: &str) -> String {
    let replaced = match field {
        "block" | "unlimited" => "limits",
        "shared" => "key",
        other => other,
    };
    let mut text = "[[policy]]\n".to_owned();
    for (name, value) in POLICY_FIELDS {
        if name != replaced {
            text.push_str(&format!("{name} = {value}\n"));
        }
    }
    if field == "local_share" {
        text.push_str("on_store_failure = \"local\"\n");
    }
    text.push_str(&format!("{field} = {value}\n"));
    text
}

fn settings(table: &str, lines: &str) -> String {
    let policy = policy("hide_numbers", "true");
    format!("[{table}]\n{lines}\n{policy}")
}

/// The fields of an inline table with one of them set to its example.
fn inline(fields: &'static [Field], field: &Field, needed: &[&str]) -> String {
    let instead_of_limits = ["block", "unlimited"].contains(&field.name);
    let others = fields.iter().filter(|other| {
        needed.contains(&other.name)
            && other.name != field.name
            && !(instead_of_limits && other.name == "limits")
    });
    let entries: Vec<String> = others
        .chain([field])
        .map(|field| format!("{} = {}", field.name, field.example))
        .collect();
    format!("{{ {} }}", entries.join(", "))
}

#[test]
fn every_example_is_right() {
    for (table, shape) in [
        ("store", &STORE),
        ("client", &CLIENT),
        ("response", &RESPONSE),
    ] {
        for field in shape.fields {
            parse(&settings(
                table,
                &format!("{} = {}", field.name, field.example),
            ));
        }
    }
    for field in POLICY.fields {
        parse(&policy(field.name, field.example));
    }
    for field in TIER.fields {
        let tier = inline(TIER.fields, field, &["when", "limits"]);
        parse(&policy("tiers", &format!("[{tier}]")));
    }
    for field in COST.fields {
        let cost = inline(COST.fields, field, &["attribute", "max"]);
        parse(&policy("cost", &cost));
    }
    for field in FILE.fields {
        let policies = FILE.field("policy").map_or("", |field| field.example);
        let mut text = format!("policy = {policies}\n");
        if field.name != "policy" {
            text.push_str(&format!("{} = {}\n", field.name, field.example));
        }
        parse(&text);
    }
}

#[test]
fn every_default_is_what_leaving_out_means() {
    let mut count = 0;
    for (table, shape) in [
        ("store", &STORE),
        ("client", &CLIENT),
        ("response", &RESPONSE),
    ] {
        for field in shape.fields.iter().filter(|field| is_code(field.default)) {
            let line = format!("{} = {}", field.name, field.default);
            assert_eq!(
                parse(&settings(table, &line)),
                parse(&settings(table, "")),
                "{line}"
            );
            count += 1;
        }
    }
    let plain = parse(&policy("limits", "[\"60/min\"]"));
    for field in POLICY.fields.iter().filter(|field| is_code(field.default)) {
        let mut text = "[[policy]]\n".to_owned();
        for (name, value) in POLICY_FIELDS {
            text.push_str(&format!("{name} = {value}\n"));
        }
        text.push_str(&format!("{} = {}\n", field.name, field.default));
        assert_eq!(parse(&text), plain, "{}", field.name);
        count += 1;
    }
    assert!(count > 20);
}

#[test]
fn every_field_is_documented() {
    for shape in [&FILE, &STORE, &CLIENT, &RESPONSE, &POLICY, &TIER, &COST] {
        for field in shape.fields {
            assert!(field.doc.ends_with('.'), "{}", field.name);
            assert!(!field.example.is_empty(), "{}", field.name);
        }
        for (wrong, _) in shape.instead {
            assert!(shape.field(wrong).is_none(), "{wrong} is a field");
        }
    }
}
