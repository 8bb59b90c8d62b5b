//! CloudFront's standard log: columns, of which the time is that of the answer's end.

use super::super::exchange::Exchange;
use super::super::form::Form;
use super::super::{escape, put, time};
use super::{or_dash, protocol};

/// The names of the columns.
pub(crate) const HEAD: &str = "#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip \
     cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) \
     x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken \
     x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version\n";

pub(crate) fn write(it: &Exchange, out: &mut String) {
    time::date_and_time(out, it.end(), '\t');
    put!(
        out,
        "\tFRA56-P1\t{}\t{}\t{}\td111111abcdef8.cloudfront.net\t",
        it.bytes,
        it.peer,
        it.method
    );
    // What was encoded stays as it was.
    escape::cloudfront_path(out, &it.path);
    put!(
        out,
        "\t{:03}\t",
        Form::CloudFront.status(it).unwrap_or_default()
    );
    escape::cloudfront(out, or_dash(it.referer));
    out.push('\t');
    escape::cloudfront(out, or_dash(it.user_agent));
    put!(
        out,
        "\t{}\t-\tMiss\t{}==\t{}\thttps\t204\t",
        or_dash(it.query.as_deref()),
        it.id(),
        it.host
    );
    put!(out, "{}\t", time::millis(it.duration.as_micros()));
    match &it.forwarded_for {
        // Spaces are encoded like everything else.
        Some(list) => escape::cloudfront(out, list),
        None => out.push('-'),
    }
    put!(
        out,
        "\tTLSv1.3\tTLS_AES_128_GCM_SHA256\tMiss\t{}",
        protocol(it)
    );
}
