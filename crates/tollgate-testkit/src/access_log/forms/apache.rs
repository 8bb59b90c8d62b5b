//! Apache. It writes a line when the request is over, and its time is that of the request's begin.

use super::super::escape;
use super::super::exchange::Exchange;
use super::super::form::Form;
use super::super::{put, time};
use super::{or_dash, request_line};

/// The server's offset from UTC, in minutes.
const OFFSET: i64 = 60;

pub(crate) fn common(it: &Exchange, out: &mut String) {
    put!(out, "{} - ", it.peer);
    text(out, it.user.as_deref());
    out.push_str(" [");
    time::clf(out, it.start, OFFSET);
    out.push_str("] \"");
    match it.malformed {
        // It knows of no request where nothing came.
        Some([]) => out.push('-'),
        _ => escape::apache(out, &request_line(it)),
    }
    put!(
        out,
        "\" {} ",
        Form::ApacheCommon.status(it).unwrap_or_default()
    );
    match it.bytes {
        0 => out.push('-'),
        bytes => put!(out, "{bytes}"),
    }
}

pub(crate) fn combined(it: &Exchange, out: &mut String) {
    common(it, out);
    for value in [it.referer, it.user_agent] {
        out.push_str(" \"");
        text(out, value);
        out.push('"');
    }
}

pub(crate) fn vhost(it: &Exchange, out: &mut String) {
    put!(out, "{}:443 ", it.host);
    combined(it, out);
}

fn text(out: &mut String, value: Option<&str>) {
    escape::apache(out, or_dash(value).as_bytes());
}
