//! Caddy 2. Its time is that of the line, which is written when the request is over.

use super::super::exchange::Exchange;
use super::super::form::Form;
use super::super::{escape, put, time};
use super::protocol;

pub(crate) fn write(it: &Exchange, out: &mut String) {
    let ends = time::float_seconds(it.end().as_micros());
    put!(
        out,
        "{{\"level\":\"info\",\"ts\":{ends},\"logger\":\"http.log.access.log0\",\"msg\":\"handled request\","
    );
    put!(
        out,
        "\"request\":{{\"remote_ip\":\"{}\",\"remote_port\":\"{}\",\"client_ip\":\"{}\",",
        it.peer,
        it.port,
        it.client
    );
    put!(
        out,
        "\"proto\":\"{}\",\"method\":\"{}\",\"host\":\"{}\",\"uri\":\"",
        protocol(it),
        it.method,
        it.host
    );
    escape::zap(out, &it.target());
    out.push_str("\",\"headers\":{");
    let fields = [
        ("User-Agent", it.user_agent),
        ("Referer", it.referer),
        ("X-Forwarded-For", it.forwarded_for.as_deref()),
    ];
    for (name, value) in fields {
        if let Some(value) = value {
            put!(out, "\"{name}\":[\"");
            escape::zap(out, value);
            out.push_str("\"],");
        }
    }
    out.push_str("\"Cookie\":[\"REDACTED\"]},\"tls\":{\"resumed\":false,\"version\":772,\"proto\":\"h2\"}},\"bytes_read\":0,\"user_id\":\"");
    escape::zap(out, it.user.as_deref().unwrap_or_default());
    let status = Form::Caddy.status(it).unwrap_or_default();
    put!(
        out,
        "\",\"duration\":{},\"size\":{},\"status\":{status},",
        time::float_seconds(it.duration.as_micros()),
        it.bytes
    );
    out.push_str("\"resp_headers\":{\"Server\":[\"Caddy\"],\"Content-Type\":[]}}");
}
