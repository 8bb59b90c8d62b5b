//! Headers as members of an object.

use std::borrow::Cow;

use super::scan::Value;
use super::value::joined;
use crate::log::Record;

/// Fills in a header; of one that is logged as several lines, all of them, joined.
pub(crate) fn fill<'l>(record: &mut Record<'l>, name: &str, value: Value<'_, 'l>) {
    let Some(text) = joined(value) else {
        return;
    };
    fill_text(record, name, text);
}

/// The same for a text.
pub(crate) fn fill_text<'l>(record: &mut Record<'l>, name: &str, text: Cow<'l, str>) {
    let is = |other| name.eq_ignore_ascii_case(other);
    if is("user-agent") {
        record.user_agent = Some(text);
    } else if is("referer") {
        record.referer = Some(text);
    } else if is("x-forwarded-for") {
        record.forwarded_for = Some(text);
    } else if is("host") || is(":authority") {
        record.host.get_or_insert(text);
    } else {
        let mut attribute = String::with_capacity("header.".len() + name.len());
        attribute.push_str("header.");
        attribute.extend(name.chars().map(|c| c.to_ascii_lowercase()));
        record.others.push((Cow::Owned(attribute), text));
    }
}
