//! Made-up logs in every form: what is read of them, and what is decided.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on")]

mod records;

use tollgate_replay::log::*;
use tollgate_testkit::access_log::{Form, Log, Traffic, Wrapper};

#[test]
fn quick() {
    for (form, text) in [
        (Form::NginxCombined, TextForm::Common),
        (Form::NginxCommon, TextForm::Common),
        (Form::NginxVhost, TextForm::Common),
        (Form::NginxTimed, TextForm::Common),
        (Form::NginxForwarded, TextForm::Common),
        (Form::ApacheCommon, TextForm::Common),
        (Form::ApacheCombined, TextForm::Common),
        (Form::ApacheVhost, TextForm::Common),
        (Form::TraefikText, TextForm::Common),
        (Form::EnvoyText, TextForm::Envoy),
        (Form::Alb, TextForm::Alb),
        (Form::CloudFront, TextForm::CloudFront),
        (Form::HaProxy, TextForm::HaProxy),
        (Form::ProxyManager, TextForm::ProxyManager),
    ] {
        for proxies in [false, true] {
            let log = Log::of(
                form,
                Wrapper::None,
                Traffic::new(3).requests(3000).behind_proxies(proxies),
            );
            let mut state = TextState::new("UTC".parse().ok());
            for head in form.head().lines() {
                let _ = text.read(head.as_bytes(), &mut state);
            }
            let mut bad = 0;
            for line in &log.lines {
                let r = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    match text.read(line.text.trim_end_matches('\n').as_bytes(), &mut state) {
                        Ok(Line::Request(record)) => records::hold(&record, line, form),
                        other => panic!("{}: {other:?} {}", form.name(), line.text),
                    }
                }));
                if r.is_err() {
                    bad += 1;
                    if bad > 3 {
                        break;
                    }
                }
            }
        }
    }
}
