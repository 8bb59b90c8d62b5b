//! nginx-proxy-manager: an nginx with a format of its own.

use super::super::exchange::Exchange;
use super::super::form::Form;
use super::super::{escape, put, time};
use super::or_dash;

pub(crate) fn write(it: &Exchange, out: &mut String) {
    let status = Form::ProxyManager.status(it).unwrap_or_default();
    out.push('[');
    time::clf(out, it.end(), 0);
    put!(
        out,
        "] - {} {status:03} - {} https {} \"",
        it.status,
        it.method,
        it.host
    );
    escape::nginx(out, it.target().as_bytes());
    put!(
        out,
        "\" [Client {}] [Length {}] [Gzip -] [Sent-to 192.0.2.3]",
        it.peer,
        it.bytes
    );
    for value in [it.user_agent, it.referer] {
        out.push_str(" \"");
        escape::nginx(out, or_dash(value).as_bytes());
        out.push('"');
    }
}
