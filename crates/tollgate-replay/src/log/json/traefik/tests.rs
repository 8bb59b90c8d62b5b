//! Lines of Traefik.

use crate::log::testing::told;

const LINE: &str = r#"{"ClientAddr":"192.0.2.9:41342","ClientHost":"203.0.113.5, 198.51.100.7","ClientPort":"41342","ClientUsername":"-","DownstreamContentSize":352,"DownstreamStatus":200,"Duration":42000000,"OriginDuration":41000000,"OriginStatus":200,"Overhead":1000000,"RequestAddr":"example.net:443","RequestContentSize":0,"RequestCount":244,"RequestHost":"example.net","RequestMethod":"GET","RequestPath":"/x?y=1","RequestPort":"443","RequestProtocol":"HTTP/2.0","RequestScheme":"https","RetryAttempts":0,"RouterName":"web@docker","ServiceAddr":"192.0.2.3:80","ServiceName":"leaf@docker","ServiceURL":{"Scheme":"http","Host":"192.0.2.3:80"},"StartLocal":"2026-11-05T07:25:02.310123456+01:00","StartUTC":"2026-11-05T06:25:02.310123456Z","entryPointName":"websecure","level":"info","msg":"","request_User-Agent":"curl/8.5.0","request_X-Plan":"pro","time":"2026-11-05T06:25:02Z"}"#;

fn with(from: &str, to: &str) -> String {
    assert!(LINE.contains(from), "{from}");
    told(&LINE.replace(from, to))
}

#[test]
fn a_line_tells_the_begin_and_the_list_that_was_forwarded() {
    assert_eq!(
        told(LINE),
        r#"traefik-json 1793859902.310123 Start/1µs took 42ms peer 192.0.2.9 list "203.0.113.5, 198.51.100.7" method "GET" path "/x" query "y=1" host "example.net" route "web@docker" status "200" agent "curl/8.5.0" header.x-plan="pro""#
    );
}

#[test]
fn what_a_client_sent_as_its_address_is_never_the_peer() {
    let direct = with("203.0.113.5, 198.51.100.7", "192.0.2.9");
    assert!(direct.contains(" peer 192.0.2.9 method "), "{direct}");
    let forged = with("203.0.113.5, 198.51.100.7", "127.0.0.1");
    assert!(
        forged.contains(r#" peer 192.0.2.9 list "127.0.0.1" "#),
        "{forged}"
    );
    let unknown = with(r#""ClientAddr":"192.0.2.9:41342","#, "");
    assert!(
        unknown.contains(r#" peer ? list "203.0.113.5, 198.51.100.7" "#),
        "{unknown}"
    );
}

#[test]
fn without_a_begin_it_is_the_end_less_the_duration() {
    let told = with(
        r#""StartLocal":"2026-11-05T07:25:02.310123456+01:00","StartUTC":"2026-11-05T06:25:02.310123456Z","#,
        "",
    );
    assert!(
        told.starts_with("traefik-json 1793859901.958000 EndLessDuration/1s took 42ms"),
        "{told}"
    );
    let told = with(r#""StartUTC":"2026-11-05T06:25:02.310123456Z","#, "");
    assert!(
        told.starts_with("traefik-json 1793859902.310123 Start/1µs"),
        "{told}"
    );
}

#[test]
fn messages_of_traefik_itself_are_no_requests() {
    let message = r#"{"level":"error","entryPointName":"web","routerName":"x","time":"2026-11-05T06:25:02Z","message":"middleware does not exist"}"#;
    assert_eq!(told(message), "skipped: other_message");
}
