//! JSON that somebody made up, by a `log_format` with `escape=json`:
//!
//! ```text
//! log_format own escape=json '{"when":$msec,"took":"$request_time","who":{"ip":"$remote_addr",
//!     "via":"$http_x_forwarded_for","name":"$remote_user"},"what":{"verb":"$request_method",
//!     "target":"$request_uri","site":"$host"},"answer":"$status","agent":"$http_user_agent",
//!     "from":"$http_referer"}';
//! ```

use super::super::exchange::Exchange;
use super::super::form::Form;
use super::super::{escape, put, time};

/// Attributes, and where they are.
pub(crate) const FIELDS: &[(&str, &str)] = &[
    ("time", ".when"),
    ("duration", ".took"),
    ("peer.ip", ".who.ip"),
    ("header.x-forwarded-for", ".who.via"),
    ("user", ".who.name"),
    ("method", ".what.verb"),
    ("path", ".what.target"),
    ("host", ".what.site"),
    ("status", ".answer"),
    ("header.user-agent", ".agent"),
    ("header.referer", ".from"),
];

pub(crate) fn write(it: &Exchange, out: &mut String) {
    let text = |out: &mut String, name: &str, value: Option<&str>| {
        put!(out, "\"{name}\":\"");
        escape::nginx_json(out, value.unwrap_or_default());
        out.push('"');
    };
    put!(out, "{{\"when\":{},", time::millis(it.end().as_micros()));
    put!(
        out,
        "\"took\":\"{}\",",
        time::millis(it.duration.as_micros())
    );
    put!(out, "\"who\":{{\"ip\":\"{}\",", it.peer);
    text(out, "via", it.forwarded_for.as_deref());
    out.push(',');
    text(out, "name", it.user.as_deref());
    put!(out, "}},\"what\":{{\"verb\":\"{}\",", it.method);
    text(out, "target", Some(&it.target()));
    put!(out, ",\"site\":\"{}\"}},", it.host);
    put!(
        out,
        "\"answer\":\"{:03}\",",
        Form::NginxJson.status(it).unwrap_or_default()
    );
    text(out, "agent", it.user_agent);
    out.push(',');
    text(out, "from", it.referer);
    out.push('}');
}
