//! Whatever a file holds, reading it ends with an answer, and every place in it is a place.

use proptest::prelude::*;
use tollgate_policy::file::{Diagnostics, PolicyFile};

use crate::golden::{environment, files};

/// What files are made of, and what breaks them.
const PIECES: [&str; 44] = [
    "[[policy]]\n",
    "[store]\n",
    "[client]\n",
    "[response]\n",
    "[policy",
    "]]",
    "[",
    "]",
    "{",
    "}",
    "=",
    " = ",
    ".",
    ",",
    "\n",
    "\r\n",
    "\t",
    "\u{feff}",
    "\"",
    "'",
    "\"\"\"",
    "'''",
    "\\",
    "\\u00e9",
    "${",
    "${KEYS}",
    "$$",
    "$",
    "name",
    "limits",
    "match",
    "key",
    "tiers",
    "when",
    "url",
    "\"10/min\"",
    "\"redis://:pw@h?x\"",
    "\"client.ip\"",
    "true",
    "0",
    "-1e9",
    "\u{e9}\u{4f60}\u{1f600}",
    "hash_secret",
    "1979-05-27",
];

fn read(text: &str) -> Option<PolicyFile> {
    match PolicyFile::parse("test.toml", text, &environment) {
        Ok(file) => {
            check(text, &file.warnings);
            Some(file)
        }
        Err(found) => {
            assert!(found.errors() > 0);
            check(text, &found);
            None
        }
    }
}

fn check(text: &str, found: &Diagnostics) {
    let lines = text.split('\n').count();
    for one in found {
        let related = one.related.iter().map(|related| &related.span);
        for span in related.chain([&one.span]) {
            assert!(text.get(span.clone()).is_some(), "{span:?} of {text:?}");
            for offset in [span.start, span.end] {
                let place = found.source().position(offset);
                let line = text.split('\n').nth(place.line - 1);
                let width = line.map_or(0, |line| line.chars().count());
                assert!((1..=lines).contains(&place.line) && place.column <= width + 1);
            }
        }
        assert!(!one.message.is_empty() && one.help.as_deref() != Some(""));
    }
    assert_eq!(found.is_empty(), found.to_string().is_empty());
}

fn samples() -> Vec<String> {
    let directories = ["right", "warned", "wrong"];
    let paths = directories.into_iter().flat_map(files);
    paths
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect()
}

fn boundary(text: &str, at: usize) -> usize {
    let mut at = at % (text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

proptest! {
    #[test]
    fn any_text_is_answered(text in "(?s).{0,200}") {
        read(&text);
    }

    #[test]
    fn any_pieces_are_answered(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60)) {
        read(&pieces.concat());
    }

    #[test]
    fn a_file_with_mistakes_is_answered(
        text in prop::sample::select(samples()),
        changes in prop::collection::vec((any::<usize>(), 0..12_usize, prop::sample::select(&PIECES[..])), 1..6),
    ) {
        let mut text = text;
        for (at, length, piece) in changes {
            let start = boundary(&text, at);
            let end = boundary(&text, (start + length).min(text.len())).max(start);
            text.replace_range(start..end, piece);
        }
        let once = read(&text);
        prop_assert_eq!(once, read(&text));
    }

    #[test]
    fn a_file_that_ends_early_is_answered(text in prop::sample::select(samples()), at in any::<usize>()) {
        read(&text[..boundary(&text, at)]);
    }
}

#[test]
fn a_file_that_is_nested_deep_is_answered() {
    for text in [
        format!("{}1", "a.".repeat(100_000)),
        format!("a = {}", "[".repeat(100_000)),
        format!("a = {}", "{a=".repeat(100_000)),
        format!("[{}a]", "a.".repeat(100_000)),
        format!("[[policy]]\nname = \"\"\"{}x\"\"\"", "\\\n".repeat(100_000)),
        format!("[[policy]]\nmatch.{}a = 1", "a.".repeat(70)),
    ] {
        read(&text);
    }
}

/// Whoever reloads a file that has become a mess must not wait for it.
#[test]
fn a_large_mess_is_answered() {
    let large = |piece: &str| piece.repeat((1 << 18) / piece.len());
    for text in [
        large("a = b\n"),
        format!("a = [{}", large("b, ")),
        format!("a = [{}]", large("b, ")),
        format!("[[policy]]\n{}", large("limit = [\"60/mim\"]\n")),
        large("[[policy]]\n"),
        format!("[[policy]]\nlimits = [{}]", large("\"60/mim\", ")),
        format!("[[policy]]\nkey = [{}]", large("\"us er\", ")),
        format!("[[policy]]\nmatch = {{ path = [{}] }}", large("\"a\", ")),
        (0..20_000)
            .map(|number| format!("polcy{number} = 1\n"))
            .collect(),
        large("\u{0}\u{1}"),
        large("secret = \"${SECRET_A:-abcdefg}\"\n"),
    ] {
        let found = PolicyFile::parse("test.toml", &text, &environment).unwrap_err();
        assert!(found.errors() > 0);
        assert!(found.to_string().len() < 1 << 20);
    }
}

/// Time in proportion to the text: a quadratic step takes minutes for these.
#[test]
fn a_large_file_of_secrets_is_answered() {
    let large = |piece: &str| piece.repeat((1 << 18) / piece.len());
    let fields = |number: usize| -> String {
        (0..number)
            .map(|number| format!("polcy{number} = 1\n"))
            .collect()
    };
    for text in [
        format!("# {}", large("secret ")),
        format!("= # {}", large("secret=")),
        format!("= {}", large("secret=")),
        format!("= {}", large("secret=' ")),
        format!("= {}", large("url=")),
        format!("= {}", large("url='x\n#")),
        format!("= {}", large("url=\"\n")),
        format!("= {}", large("://")),
        format!("# {}", large("redis://h?")),
        format!("# {}", large("secret='x' # ")),
        large("secret = [\n"),
        large("a = = b\n"),
        fields(20_000),
        format!(
            "secret = [{}]",
            (0..20_000)
                .map(|number| format!("\"{number:05}\","))
                .collect::<String>()
        ),
        format!("{}{}", fields(1_000), large("secret = \"\"\"\n")),
    ] {
        let found = PolicyFile::parse("test.toml", &text, &environment).unwrap_err();
        assert!(found.errors() > 0 && found.iter().count() <= 400);
        assert!(found.to_string().len() < 1 << 20);
    }
}

#[test]
fn of_many_mistakes_the_first_are_told_and_the_others_counted() {
    let text: String = (0..300)
        .map(|number| format!("polcy{number} = 1\n"))
        .collect();
    let found = PolicyFile::parse("test.toml", &text, &environment).unwrap_err();
    assert_eq!(found.errors(), 300);
    assert_eq!((found.len(), found.iter().count()), (300, 100));
    assert!(found.to_string().ends_with("\nand 200 more\n"));
}
