//! Traefik. It writes a line when the request is over, and its time is that of the request's begin.
//! The host of the client is the forwarding list as it came, if there is one.

use super::super::exchange::Exchange;
use super::super::form::Form;
use super::super::{escape, put, time};
use super::protocol;

pub(crate) fn text(it: &Exchange, out: &mut String) {
    match &it.forwarded_for {
        Some(list) => out.push_str(list),
        None => put!(out, "{}", it.peer),
    }
    put!(out, " - {} [", it.user.as_deref().unwrap_or("-"));
    time::clf(out, it.start, 0);
    put!(out, "] \"{} {} {}\" ", it.method, it.target(), protocol(it));
    put!(
        out,
        "{} {} ",
        Form::TraefikText.status(it).unwrap_or_default(),
        it.bytes
    );
    for value in [it.referer, it.user_agent] {
        out.push('"');
        // It does not escape anything.
        out.push_str(value.unwrap_or("-"));
        out.push_str("\" ");
    }
    put!(
        out,
        "{} \"web@docker\" \"http://192.0.2.3:80\" {}ms",
        it.number + 1,
        it.duration.as_micros() / 1000
    );
}

pub(crate) fn json(it: &Exchange, out: &mut String) {
    let host = it
        .forwarded_for
        .clone()
        .unwrap_or_else(|| it.peer.to_string());
    let duration = it.duration.as_micros() * 1000;
    let status = Form::TraefikJson.status(it).unwrap_or_default();
    out.push_str("{\"ClientAddr\":\"");
    escape::go_json(out, &it.peer_and_port());
    put!(
        out,
        "\",\"ClientHost\":\"{host}\",\"ClientPort\":\"{}\",\"ClientUsername\":\"",
        it.port
    );
    escape::go_json(out, it.user.as_deref().unwrap_or("-"));
    put!(
        out,
        "\",\"DownstreamContentSize\":{},\"DownstreamStatus\":{status},\"Duration\":{duration},",
        it.bytes
    );
    put!(
        out,
        "\"OriginDuration\":{},\"OriginStatus\":{},\"Overhead\":{},",
        duration / 2,
        it.status,
        duration / 2
    );
    put!(
        out,
        "\"RequestAddr\":\"{}\",\"RequestCount\":{},\"RequestHost\":\"{}\",",
        it.host,
        it.number + 1,
        it.host
    );
    put!(
        out,
        "\"RequestMethod\":\"{}\",\"RequestPath\":\"",
        it.method
    );
    escape::go_json(out, &it.target());
    put!(
        out,
        "\",\"RequestPort\":\"-\",\"RequestProtocol\":\"{}\",\"RequestScheme\":\"https\",",
        protocol(it)
    );
    out.push_str(
        "\"RetryAttempts\":0,\"RouterName\":\"web@docker\",\"ServiceName\":\"leaf@docker\",",
    );
    out.push_str("\"ServiceURL\":\"http://192.0.2.3:80\",\"StartLocal\":\"");
    time::rfc3339_nano(out, it.start, it.nanos());
    out.push_str("\",\"StartUTC\":\"");
    time::rfc3339_nano(out, it.start, it.nanos());
    out.push_str("\",\"entryPointName\":\"websecure\",\"level\":\"info\",\"msg\":\"\",");
    for (name, value) in [
        ("request_Referer", it.referer),
        ("request_User-Agent", it.user_agent),
    ] {
        if let Some(value) = value {
            put!(out, "\"{name}\":\"");
            escape::go_json(out, value);
            out.push_str("\",");
        }
    }
    out.push_str("\"time\":\"");
    time::rfc3339_nano(out, it.end(), 0);
    out.push_str("\"}");
}
