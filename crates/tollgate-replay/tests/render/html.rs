//! The page, as a text.

use std::collections::BTreeSet;

use tollgate_replay::render::html;

use crate::fixtures;

/// What stands in all places of an attribute.
fn attributes<'p>(page: &'p str, name: &str) -> Vec<&'p str> {
    let begin = format!(" {name}=\"");
    let parts = page.split(&begin).skip(1);
    parts.map(|part| part.split('"').next().unwrap()).collect()
}

#[test]
fn names_are_given_once_and_what_is_referred_to_is_there() {
    for (page, report) in fixtures::all() {
        let text = html(&report);
        let ids = attributes(&text, "id");
        let known: BTreeSet<_> = ids.iter().copied().collect();
        assert_eq!(ids.len(), known.len(), "{page}");
        for reference in ["aria-labelledby", "aria-describedby"] {
            for id in attributes(&text, reference) {
                assert!(known.contains(id), "{page}: {id}");
            }
        }
        for link in attributes(&text, "href")
            .iter()
            .filter_map(|link| link.strip_prefix('#'))
        {
            assert!(known.contains(link), "{page}: {link}");
        }
    }
}

#[test]
fn nothing_is_drawn_at_no_place() {
    for (page, report) in fixtures::all() {
        let text = html(&report);
        for wrong in ["NaN", "inf%", "\"inf", "-inf"] {
            assert!(!text.contains(wrong), "{page}: {wrong}");
        }
    }
}

#[test]
fn nothing_is_fetched_and_nothing_else_may_run() {
    for (page, report) in fixtures::all() {
        let text = html(&report);
        for name in [
            "src", "srcset", "action", "style", "onclick", "onerror", "onload",
        ] {
            assert_eq!(attributes(&text, name), [""; 0], "{page}: {name}");
        }
        let links = attributes(&text, "href");
        let elsewhere = links
            .iter()
            .find(|link| !link.starts_with('#') && **link != "data:,");
        assert_eq!(elsewhere, None, "{page}");
        let policy = attributes(&text, "content")[0];
        assert!(
            policy.starts_with("default-src &#39;none&#39;; style-src &#39;sha256-"),
            "{policy}"
        );
        assert!(!policy.contains("unsafe"), "{policy}");
    }
}

#[test]
fn nobody_elses_text_is_markup() {
    let text = html(&fixtures::extreme());
    for wrong in [
        "<img",
        "<b>",
        "alert(1)</script>",
        "\u{202e}",
        "\u{200b}",
        "\x1b",
        "\0",
    ] {
        assert!(!text.contains(wrong), "{wrong:?}");
    }
    assert!(text.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
}

#[test]
fn the_same_report_makes_the_same_page() {
    assert_eq!(html(&fixtures::rich()), html(&fixtures::rich()));
}
