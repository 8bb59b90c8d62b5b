//! HAProxy with `option httplog`. Its time is that of the request's begin, and local.

use super::super::exchange::Exchange;
use super::super::form::Form;
use super::super::{escape, put, time};
use super::request_line;

pub(crate) fn write(it: &Exchange, out: &mut String) {
    let millis = it.duration.as_micros() / 1000;
    // Without brackets, whatever the family of the address.
    put!(out, "{}:{} [", it.peer, it.port);
    time::haproxy(out, it.start);
    out.push_str("] web~ app/leaf ");
    match Form::HaProxy.status(it) {
        Some(status) => put!(out, "0/0/1/{}/{millis} {status} ", millis.saturating_sub(1)),
        None => put!(out, "0/0/1/-1/{millis} -1 "),
    }
    put!(
        out,
        "{} - - {} 12/10/3/1/0 0/0 ",
        it.bytes,
        if it.gone { "CD--" } else { "----" }
    );
    out.push('"');
    escape::haproxy(out, &request_line(it));
    out.push('"');
}
