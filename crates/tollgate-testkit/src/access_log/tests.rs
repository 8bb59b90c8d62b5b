//! What the generator promises.

use std::collections::{BTreeMap, HashSet};
use std::net::IpAddr;

use tollgate::{Micros, Timestamp};

use super::{Exchange, Form, Log, LogWriter, Traffic, Wrapper};

fn few() -> Traffic {
    Traffic::new(7).clients(200).requests(4000)
}

#[test]
fn a_seed_says_it_all() {
    let all: Vec<Exchange> = few().into_iter().collect();
    let again: Vec<Exchange> = few().into_iter().collect();
    let other: Vec<Exchange> = Traffic::new(8)
        .clients(200)
        .requests(4000)
        .into_iter()
        .collect();
    assert_eq!(all, again);
    assert_ne!(all, other);
}

#[test]
fn requests_come_in_order_and_as_many_as_were_asked_for() {
    let all: Vec<Exchange> = few().into_iter().collect();
    assert_eq!(all.len(), 4000);
    assert!(all.is_sorted_by_key(|it| it.start));
    assert!((0..).zip(&all).all(|(number, it)| it.number == number));
    let span = Micros::from_secs(61 * 60);
    let first = all[0].start;
    assert!(all.iter().all(|it| it.start.saturating_since(first) < span));
}

#[test]
fn every_client_comes_and_few_come_often() {
    let mut counts: BTreeMap<u128, u64> = BTreeMap::new();
    for it in few() {
        let network = match it.client {
            IpAddr::V4(address) => address.to_bits().into(),
            IpAddr::V6(address) => address.to_bits() >> 64,
        };
        *counts.entry(network).or_default() += 1;
    }
    assert_eq!(counts.len(), 200);
    let mut counts: Vec<u64> = counts.into_values().collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    let often: u64 = counts[..20].iter().sum();
    assert!(often > 2000, "{counts:?}");
}

#[test]
fn a_night_is_quieter_than_an_evening() {
    let midnight = Timestamp::from_secs(1_793_836_800);
    let traffic = Traffic::new(1)
        .requests(20_000)
        .from(midnight)
        .over(Micros::DAY);
    let mut hours = [0_u32; 25];
    for it in traffic {
        let hour = it.start.saturating_since(midnight).as_micros() / Micros::HOUR.as_micros();
        hours[usize::try_from(hour).unwrap()] += 1;
    }
    assert!(hours[19] > 6 * hours[3], "{hours:?}");
}

#[test]
fn there_is_one_of_everything() {
    let all: Vec<Exchange> = few().into_iter().collect();
    let some = |what: fn(&Exchange) -> bool| all.iter().any(what);
    for status in [200, 304, 400, 401, 404, 429, 502] {
        assert!(all.iter().any(|it| it.status == status), "{status}");
    }
    assert!(some(|it| it.client.is_ipv4()));
    assert!(some(|it| it.client.is_ipv6()));
    assert!(some(|it| it.malformed.is_some()));
    assert!(some(|it| it.gone));
    assert!(some(|it| it.user.as_deref() == Some("jane doe")));
    assert!(some(|it| it
        .user_agent
        .is_some_and(|agent| agent.contains('"'))));
    assert!(some(|it| it
        .user_agent
        .is_some_and(|agent| !agent.is_ascii())));
    assert!(some(|it| it.duration > Micros::from_secs(5)));
    let proxied: Vec<Exchange> = few().behind_proxies(true).into_iter().collect();
    let peers: HashSet<IpAddr> = proxied.iter().map(|it| it.peer).collect();
    assert_eq!(peers.len(), 4);
    let lists = proxied.iter().filter_map(|it| it.forwarded_for.as_deref());
    assert!(lists.clone().all(|list| list.split(", ").count() <= 3));
    assert!(lists.clone().any(|list| list.starts_with("203.0.113.")));
    assert!(lists.clone().any(|list| list.contains(", 10.20.0.")));
}

#[test]
fn a_stream_is_the_log() {
    for form in Form::ALL {
        for wrapper in Wrapper::ALL {
            let traffic = Traffic::new(3).clients(30).requests(300);
            let mut streamed = Vec::new();
            let mut writer = LogWriter::new(form, wrapper, &mut streamed).unwrap();
            for exchange in traffic.clone() {
                writer.add(exchange).unwrap();
            }
            let lines = writer.finish().unwrap();
            let log = Log::of(form, wrapper, traffic);
            assert_eq!(String::from_utf8(streamed).unwrap(), log.text());
            assert_eq!(usize::try_from(lines).unwrap(), log.lines.len());
        }
    }
}

/// A request with everything in it that servers write differently.
fn difficult() -> Exchange {
    Exchange {
        number: 4,
        start: Timestamp::from_micros(1_793_859_902_310_250),
        duration: Micros::new(2_700_900),
        client: "2001:db8::17".parse().unwrap(),
        peer: "10.20.0.5".parse().unwrap(),
        port: 41_342,
        forwarded_for: Some("203.0.113.5, 2001:db8::17".to_owned()),
        malformed: None,
        method: "GET",
        path: "/ü/\"".to_owned(),
        query: Some("a=1&b=2".to_owned()),
        version: 20,
        host: "example.net",
        user: Some("jane doe".to_owned()),
        user_agent: Some("A \"B\" \\ ü"),
        referer: None,
        status: 200,
        gone: false,
        bytes: 0,
    }
}

/// The lines are written down here as the servers' documentation has them, to be looked at.
#[test]
fn each_server_writes_in_its_own_way() {
    let line = |form: Form| {
        let mut line = String::new();
        form.write(&difficult(), &mut line);
        line
    };
    let nginx = r#"10.20.0.5 - jane doe [05/Nov/2026:06:25:05 +0000] "GET /\xC3\xBC/\x22?a=1&b=2 HTTP/2.0" 200 0 "-" "A \x22B\x22 \x5C \xC3\xBC""#;
    assert_eq!(line(Form::NginxCombined), nginx);
    assert_eq!(line(Form::NginxTimed), format!("{nginx} 2.700"));
    assert_eq!(line(Form::NginxVhost), format!("example.net {nginx}"));
    assert_eq!(
        line(Form::ApacheVhost),
        r#"example.net:443 10.20.0.5 - jane doe [05/Nov/2026:07:25:02 +0100] "GET /\xc3\xbc/\"?a=1&b=2 HTTP/2.0" 200 - "-" "A \"B\" \\ \xc3\xbc""#
    );
    assert_eq!(
        line(Form::TraefikText),
        r#"203.0.113.5, 2001:db8::17 - jane doe [05/Nov/2026:06:25:02 +0000] "GET /ü/"?a=1&b=2 HTTP/2.0" 200 0 "-" "A "B" \ ü" 5 "web@docker" "http://192.0.2.3:80" 2700ms"#
    );
    assert!(line(Form::Caddy).starts_with(
        r#"{"level":"info","ts":1793859905.01115,"logger":"http.log.access.log0","msg":"handled request","request":{"remote_ip":"10.20.0.5","remote_port":"41342","client_ip":"2001:db8::17","proto":"HTTP/2.0","method":"GET","host":"example.net","uri":"/ü/\"?a=1&b=2","headers":{"User-Agent":["A \"B\" \\ ü"],"X-Forwarded-For":["203.0.113.5, 2001:db8::17"],"#
    ));
    assert!(line(Form::TraefikJson).contains(r#""RequestPath":"/ü/\"?a=1\u0026b=2""#));
    assert!(line(Form::TraefikJson).contains(r#""StartUTC":"2026-11-05T06:25:02.310250516Z""#));
    assert!(line(Form::EnvoyText).starts_with(
        r#"[2026-11-05T06:25:02.310Z] "GET /ü/"?a=1&b=2 HTTP/2" 200 - 0 0 2700 2699 "203.0.113.5,2001:db8::17,10.20.0.5" "A "B" \ ü" ""#
    ));
    assert!(line(Form::Alb).starts_with(
        r#"h2 2026-11-05T06:25:05.011150Z app/lb/50dc6c495c0c9188 10.20.0.5:41342 192.0.2.1:80 0.000 2.700 0.000 200 200 204 0 "GET https://example.net:443/\xc3\xbc/\"?a=1&b=2 HTTP/2.0" "A \"B\" \\ \xc3\xbc" "#
    ));
    assert!(line(Form::CloudFront).starts_with(
        "2026-11-05\t06:25:05\tFRA56-P1\t0\t10.20.0.5\tGET\td111111abcdef8.cloudfront.net\t/%C3%BC/%22\t200\t-\tA%20%22B%22%20%5C%20%C3%BC\ta=1&b=2\t"
    ));
    assert_eq!(
        line(Form::HaProxy),
        r#"10.20.0.5:41342 [05/Nov/2026:06:25:02.310] web~ app/leaf 0/0/1/2699/2700 200 0 - - ---- 12/10/3/1/0 0/0 "GET /#C3#BC/#22?a=1&b=2 HTTP/2.0""#
    );
    assert_eq!(
        line(Form::ProxyManager),
        r#"[05/Nov/2026:06:25:05 +0000] - 200 200 - GET https example.net "/\xC3\xBC/\x22?a=1&b=2" [Client 10.20.0.5] [Length 0] [Gzip -] [Sent-to 192.0.2.3] "A \x22B\x22 \x5C \xC3\xBC" "-""#
    );
}

#[test]
fn what_is_known_is_what_the_line_tells() {
    let known = |form: Form| form.knows(&difficult()).unwrap();
    let at = |form: Form| known(form).at.as_micros();
    assert_eq!(at(Form::NginxCombined), 1_793_859_905_000_000);
    assert_eq!(at(Form::NginxTimed), 1_793_859_902_300_000);
    assert_eq!(at(Form::NginxCustom), 1_793_859_902_311_000);
    assert_eq!(at(Form::ApacheCombined), 1_793_859_902_000_000);
    assert_eq!(at(Form::Caddy), 1_793_859_902_310_250);
    assert_eq!(at(Form::EnvoyJson), 1_793_859_902_310_000);
    let peer: IpAddr = "10.20.0.5".parse().unwrap();
    assert_eq!(known(Form::NginxCombined).client, peer);
    assert_eq!(known(Form::NginxForwarded).client, difficult().client);
    assert_eq!(known(Form::Caddy).client, difficult().client);
}
