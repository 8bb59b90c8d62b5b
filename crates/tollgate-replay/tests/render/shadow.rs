//! Policies in shadow: what they would deny is the answer, and is marked as such.

use tollgate_replay::render::{TextOptions, html, text};
use tollgate_replay::report::Report;

use crate::fixtures;

fn plain(report: &Report) -> String {
    let options = TextOptions {
        width: 120,
        colour: false,
    };
    text(report, &options)
}

fn has(text: &str, words: &str) {
    assert!(text.contains(words), "{words}: {text}");
}

#[test]
fn where_all_policies_are_in_shadow_the_verdict_is_what_they_would_deny() {
    let report = fixtures::shadow();
    let page = html(&report);
    has(
        &page,
        "<h1>15.1% of requests would be denied if the policies in shadow were enforced</h1>",
    );
    has(&page, "<title>15.1% of requests would be denied if");
    let text = plain(&report);
    assert!(text.starts_with("15.1% of 715,125 requests "), "{text}");
    let text = text.replace('\n', " ");
    has(
        &text,
        "would be denied if the policies in shadow were enforced: 107,771, from 251 of 20,331 clients.",
    );
    has(&text, "As it is, all of them are allowed.");
    has(
        &text,
        "by \"login\" (98,013), \"api-read\" (8,571) and \"search\" (1,078).",
    );
}

#[test]
fn where_some_are_in_shadow_the_verdict_tells_both() {
    let report = fixtures::rich();
    has(
        &html(&report),
        "<h1>14.9% of requests would have been denied, and 0.17% more if the policies in shadow were enforced</h1>",
    );
    let text = plain(&report).replace('\n', " ");
    has(
        &text,
        "were enforced, 1,187 requests more would be denied (0.17%), and 64 clients of whom nothing is denied now.",
    );
    has(&text, "The policy in shadow that denies is \"search\".");
}

#[test]
fn tiles_tell_what_is_denied_with_shadow_enforced() {
    let page = html(&fixtures::rich());
    has(&page, "<dt>Denied with shadow enforced</dt><dd>107,771 ");
    has(
        &page,
        "<dt>Clients denied with shadow enforced</dt><dd>251 <small>of 20,331",
    );
    assert!(!html(&fixtures::allowed()).contains("with shadow"));
}

#[test]
fn charts_have_a_colour_of_its_own_for_what_is_denied_in_shadow_only() {
    let page = html(&fixtures::rich());
    let (traffic, policies) = page.split_once("id=\"policies\"").unwrap();
    has(traffic, "<path class=\"shadow\"");
    has(traffic, "<path class=\"denied\"");
    has(traffic, "admitted, but denied if shadow were enforced");
    let (login, search) = policies.split_once("id=\"policy-3\"").unwrap();
    assert!(!login.contains("class=\"shadow\""));
    has(search, "<path class=\"shadow\"");
    assert!(!html(&fixtures::allowed()).contains("class=\"shadow\""));
}

#[test]
fn the_terminal_has_a_line_of_its_own_for_it() {
    has(&plain(&fixtures::shadow()), "\n  in shadow ▁");
    let nothing = plain(&fixtures::allowed());
    assert!(!nothing.contains("in shadow"), "{nothing}");
}
