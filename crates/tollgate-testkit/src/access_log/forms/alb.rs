//! An application load balancer of AWS. Its lines have the begin and the end of a request.

use super::super::exchange::Exchange;
use super::super::form::Form;
use super::super::{escape, put, time};
use super::{or_dash, protocol};

pub(crate) fn write(it: &Exchange, out: &mut String) {
    let status = Form::Alb.status(it).unwrap_or_default();
    out.push_str(if it.version >= 20 { "h2 " } else { "https " });
    time::rfc3339(out, it.end(), 6);
    put!(out, " app/lb/50dc6c495c0c9188 {} ", it.peer_and_port());
    match it.gone {
        // It was never passed on.
        true => put!(out, "- -1 -1 -1 {status} - "),
        false => put!(
            out,
            "192.0.2.1:80 0.000 {} 0.000 {status} {status} ",
            time::millis(it.duration.as_micros())
        ),
    }
    put!(
        out,
        "204 {} \"{} https://{}:443",
        it.bytes,
        it.method,
        it.host
    );
    match it.path.as_str() {
        "*" => out.push_str("/*"),
        _ => escape::alb(out, &it.target()),
    }
    put!(out, " {}\" \"", protocol(it));
    escape::alb(out, or_dash(it.user_agent));
    out.push_str("\" TLS_AES_128_GCM_SHA256 TLSv1.3 arn:aws:elasticloadbalancing:eu-west-1:000000000000:targetgroup/t/73e2d6bc24d8a067 ");
    put!(
        out,
        "\"Root=1-00000000-{}00000000\" \"{}\" \"session-reused\" 0 ",
        it.id(),
        it.host
    );
    time::rfc3339(out, it.start, 6);
    put!(
        out,
        " \"forward\" \"-\" \"-\" \"192.0.2.1:80\" \"{status}\" \"-\" \"-\" TID_{} \"-\" \"-\" \"-\"",
        it.id()
    );
}
