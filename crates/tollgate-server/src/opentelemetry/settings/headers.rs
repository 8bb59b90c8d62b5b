//! What a collector is given with each export: often a secret.

use http::header::{
    CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, HOST, TE, TRANSFER_ENCODING, USER_AGENT,
};
use http::{HeaderMap, HeaderName, HeaderValue};
use percent_encoding::percent_decode_str;

use super::OpenTelemetryError;
use super::variables::Said;

/// Fields that say how an export is written, which nobody else knows.
const OURS: [HeaderName; 7] = [
    CONNECTION,
    CONTENT_LENGTH,
    CONTENT_TYPE,
    HOST,
    TE,
    TRANSFER_ENCODING,
    USER_AGENT,
];

/// Reads `name=value,name=value`, where values may have `%20` and the like in them (the members of
/// W3C Baggage). No error says what a value is, nor does `Debug` of what is read.
pub(super) fn read(said: &Said) -> Result<HeaderMap, OpenTelemetryError> {
    let mut headers = HeaderMap::new();
    let members = said.value.split(',').map(str::trim);
    let members = members.filter(|member| !member.is_empty());
    for (position, member) in (1..).zip(members) {
        let wrong = |problem: &str| {
            said.wrong(format!(
                "{problem} in its member {position}; write members like `name=value`, a comma between \
                 two, and in values a space as `%20`, a comma as `%2C`"
            ))
        };
        let (name, value) = member.split_once('=').ok_or_else(|| wrong("has no `=`"))?;
        let name: HeaderName = name.trim().parse().map_err(|_| wrong("names no header"))?;
        if OURS.contains(&name) {
            return Err(said.wrong(format!("sets `{name}`, which the export itself sets")));
        }
        let value: Vec<u8> = percent_decode_str(value.trim()).collect();
        let value = HeaderValue::from_bytes(&value);
        let mut value = value.map_err(|_| wrong("has what no header may have"))?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    Ok(headers)
}
