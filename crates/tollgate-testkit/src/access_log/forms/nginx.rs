//! nginx. It writes a line when the request is over, and its time is that of the line.

use super::super::escape;
use super::super::exchange::Exchange;
use super::super::form::Form;
use super::super::{put, time};
use super::{or_dash, request_line};

/// What writes [`custom`].
pub(crate) const CUSTOM: &str = "log_format precise '$msec $request_time [$remote_addr] \
     \"$http_x_forwarded_for\" $host $remote_user \"$request\" $status $body_bytes_sent \
     \"$http_referer\" \"$http_user_agent\"';";

pub(crate) fn common(it: &Exchange, out: &mut String) {
    put!(out, "{} - ", it.peer);
    text(out, it.user.as_deref());
    out.push_str(" [");
    time::clf(out, it.end(), 0);
    out.push_str("] \"");
    escape::nginx(out, &request_line(it));
    put!(out, "\" {} {}", status(it), it.bytes);
}

pub(crate) fn combined(it: &Exchange, out: &mut String) {
    common(it, out);
    agent(out, it);
}

pub(crate) fn vhost(it: &Exchange, out: &mut String) {
    put!(out, "{} ", it.host);
    combined(it, out);
}

pub(crate) fn timed(it: &Exchange, out: &mut String) {
    combined(it, out);
    put!(out, " {}", time::millis(it.duration.as_micros()));
}

pub(crate) fn forwarded(it: &Exchange, out: &mut String) {
    combined(it, out);
    put!(out, " \"{}\"", or_dash(it.forwarded_for.as_deref()));
}

pub(crate) fn custom(it: &Exchange, out: &mut String) {
    out.push_str(&time::millis(it.end().as_micros()));
    put!(
        out,
        " {} [{}] ",
        time::millis(it.duration.as_micros()),
        it.peer
    );
    put!(
        out,
        "\"{}\" {} ",
        or_dash(it.forwarded_for.as_deref()),
        it.host
    );
    text(out, it.user.as_deref());
    out.push_str(" \"");
    escape::nginx(out, &request_line(it));
    put!(out, "\" {} {}", status(it), it.bytes);
    agent(out, it);
}

/// Referer and agent.
fn agent(out: &mut String, it: &Exchange) {
    for value in [it.referer, it.user_agent] {
        out.push_str(" \"");
        text(out, value);
        out.push('"');
    }
}

fn text(out: &mut String, value: Option<&str>) {
    escape::nginx(out, or_dash(value).as_bytes());
}

fn status(it: &Exchange) -> String {
    let status = Form::NginxCombined.status(it).unwrap_or_default();
    format!("{status:03}")
}
