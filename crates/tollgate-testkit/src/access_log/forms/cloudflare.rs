//! Cloudflare's `http_requests`. Its times are written in one of three ways, by a setting.

use super::super::exchange::Exchange;
use super::super::form::Form;
use super::super::{escape, put, time};

pub(crate) fn write(it: &Exchange, out: &mut String) {
    let nanos = |micros: u64| micros * 1000 + it.nanos();
    let status = Form::Cloudflare.status(it).unwrap_or_default();
    put!(
        out,
        "{{\"ClientASN\":64496,\"ClientCountry\":\"de\",\"ClientIP\":\"{}\",",
        it.peer
    );
    put!(
        out,
        "\"ClientRequestBytes\":204,\"ClientRequestHost\":\"{}\",\"ClientRequestMethod\":\"{}\",",
        it.host,
        it.method
    );
    out.push_str("\"ClientRequestPath\":\"");
    escape::go_json(out, &it.path);
    out.push_str("\",\"ClientRequestReferer\":\"");
    escape::go_json(out, it.referer.unwrap_or_default());
    out.push_str("\",\"ClientRequestURI\":\"");
    escape::go_json(out, &it.target());
    out.push_str("\",\"ClientRequestUserAgent\":\"");
    escape::go_json(out, it.user_agent.unwrap_or_default());
    put!(
        out,
        "\",\"EdgeEndTimestamp\":{},\"EdgeResponseBytes\":{},\"EdgeResponseStatus\":{status},",
        nanos(it.end().as_micros()),
        it.bytes
    );
    // A job writes them all in one way; a reader looks at each.
    match it.number % 2 {
        0 => put!(
            out,
            "\"EdgeStartTimestamp\":{}",
            nanos(it.start.as_micros())
        ),
        _ => {
            out.push_str("\"EdgeStartTimestamp\":\"");
            time::rfc3339_nano(out, it.start, it.nanos());
            out.push('"');
        }
    }
    put!(
        out,
        ",\"OriginResponseStatus\":{status},\"RayID\":\"{}\"}}",
        it.id()
    );
}
