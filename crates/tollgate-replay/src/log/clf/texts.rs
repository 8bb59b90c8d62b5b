//! What follows the size: referer, user agent, and more.

use memchr::memrchr;

use super::extras;
use super::traefik::Traefik;
use crate::log::text::escape::{backslashes, present};
use crate::log::text::scan::{exactly, quoted};
use crate::log::{Record, Reject};

/// Fills in `"referer" "agent" more`, or only `more`.
pub(crate) fn fill<'l>(record: &mut Record<'l>, text: &'l [u8]) -> Result<(), Reject> {
    if !text.starts_with(b"\"") {
        return extras::fill(record, text);
    }
    if let Some(traefik) = Traefik::find(text) {
        return traefik.fill(record);
    }
    match in_order(record, text) {
        Err(Reject::Quotes) => from_the_right(record, text),
        result => result,
    }
}

fn in_order<'l>(record: &mut Record<'l>, text: &'l [u8]) -> Result<(), Reject> {
    let referer = quoted(text)?;
    if referer.rest.is_empty() {
        return Err(Reject::TooFewFields);
    }
    let agent = quoted(referer.rest)?;
    if !agent.rest.is_empty() {
        extras::fill(record, agent.rest)?;
    }
    record.referer = present(backslashes(referer.inner));
    record.user_agent = present(backslashes(agent.inner));
    Ok(())
}

/// Quotes stand inside quotes: the texts are split where a quote, a blank and a quote follow each
/// other, which must give two of them, or three of which the last is a list of addresses.
fn from_the_right<'l>(record: &mut Record<'l>, text: &'l [u8]) -> Result<(), Reject> {
    let last = memrchr(b'"', text).ok_or(Reject::Quotes)?;
    let inner = text.get(1..last).ok_or(Reject::Unfinished)?;
    let more = &text[last + 1..];
    if !more.is_empty() {
        let more = more.strip_prefix(b" ").ok_or(Reject::Unfinished)?;
        if !extras::are_numbers(more) {
            return Err(Reject::Unfinished);
        }
        extras::fill(record, more)?;
    }
    let [referer, agent] = match exactly::<2>(inner, b"\" \"") {
        Some(texts) => texts,
        None => {
            let [referer, agent, list] = exactly::<3>(inner, b"\" \"").ok_or(Reject::Quotes)?;
            if !extras::is_forwarded_list(list) && list != b"-" {
                return Err(Reject::Quotes);
            }
            if let Some(list) = present(backslashes(list)) {
                record.forwarded_for = Some(list);
            }
            [referer, agent]
        }
    };
    record.referer = present(backslashes(referer));
    record.user_agent = present(backslashes(agent));
    Ok(())
}
