//! What a page is allowed to do, and how it looks.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use crate::render::says;
use crate::report::Report;

use super::markup::Markup;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

pub(super) fn write(page: &mut Markup, report: &Report) {
    page.put("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.put("<meta http-equiv=\"Content-Security-Policy\" content=\"");
    page.text(&policy()).put("\">\n");
    page.put("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.put("<meta name=\"color-scheme\" content=\"light dark\">\n");
    page.put("<meta name=\"referrer\" content=\"no-referrer\">\n");
    page.put("<meta name=\"robots\" content=\"noindex\">\n");
    // Else a browser asks the server that the page lies on for one.
    page.put("<link rel=\"icon\" href=\"data:,\">\n<title>");
    page.text(&says::headline(report))
        .put(" · tollgate replay</title>\n");
    page.put("<style>").put(STYLE).put("</style>\n</head>\n");
}

pub(super) fn script(page: &mut Markup) {
    page.put("<script>").put(SCRIPT).put("</script>\n");
}

/// Nothing but the style and the script that are here.
fn policy() -> String {
    format!(
        "default-src 'none'; style-src '{}'; script-src '{}'; img-src data:; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(SCRIPT)
    )
}

fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}
