//! Envoy. It writes a line when the request is over, and its time is that of the request's begin.
//! At the edge it puts its peer at the end of the forwarding list before it logs it.

use super::super::exchange::Exchange;
use super::super::form::Form;
use super::super::{escape, put, time};
use super::{or_dash, short_protocol};

pub(crate) fn text(it: &Exchange, out: &mut String) {
    out.push('[');
    time::rfc3339(out, it.start, 3);
    put!(
        out,
        "] \"{} {} {}\" ",
        it.method,
        it.target(),
        short_protocol(it)
    );
    let millis = it.duration.as_micros() / 1000;
    put!(out, "{} {} 0 {} {millis} ", status(it), flags(it), it.bytes);
    match it.gone {
        true => out.push('-'),
        false => put!(out, "{}", millis.saturating_sub(1)),
    }
    // It does not escape anything.
    put!(
        out,
        " \"{}\" \"{}\" \"{}\" ",
        list(it),
        or_dash(it.user_agent),
        id(it)
    );
    put!(out, "\"{}\" \"192.0.2.1:80\"", it.host);
}

pub(crate) fn json(it: &Exchange, out: &mut String) {
    let millis = it.duration.as_micros() / 1000;
    put!(
        out,
        "{{\":authority\":\"{}\",\"bytes_received\":0,\"bytes_sent\":{},",
        it.host,
        it.bytes
    );
    put!(
        out,
        "\"downstream_local_address\":\"192.0.2.9:8443\",\"downstream_remote_address\":\"{}\",",
        it.peer_and_port()
    );
    put!(
        out,
        "\"duration\":{millis},\"method\":\"{}\",\"path\":\"",
        it.method
    );
    escape::zap(out, &it.target());
    put!(
        out,
        "\",\"protocol\":\"{}\",\"request_id\":\"{}\",",
        short_protocol(it),
        id(it)
    );
    put!(
        out,
        "\"response_code\":{},\"response_flags\":\"{}\",\"start_time\":\"",
        status(it),
        flags(it)
    );
    time::rfc3339(out, it.start, 3);
    out.push_str("\",\"upstream_host\":");
    out.push_str(if it.gone { "null" } else { "\"192.0.2.1:80\"" });
    out.push_str(",\"user-agent\":");
    match it.user_agent {
        Some(agent) => {
            out.push('"');
            escape::zap(out, agent);
            out.push('"');
        }
        None => out.push_str("null"),
    }
    put!(out, ",\"x-forwarded-for\":\"{}\"}}", list(it));
}

fn status(it: &Exchange) -> u16 {
    Form::EnvoyText.status(it).unwrap_or_default()
}

fn flags(it: &Exchange) -> &'static str {
    match (it.gone, it.status) {
        (true, _) => "DC",
        (_, 429) => "RL",
        _ => "-",
    }
}

fn list(it: &Exchange) -> String {
    match &it.forwarded_for {
        Some(list) => format!("{},{}", list.replace(", ", ","), it.peer),
        None => it.peer.to_string(),
    }
}

fn id(it: &Exchange) -> String {
    let (id, number) = (it.id(), it.number % 65_536);
    format!("{}-{number:04x}-4000-8000-0000{}", &id[..8], &id[8..])
}
