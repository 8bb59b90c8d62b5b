//! Logs of text.

use tollgate_replay::log::{Line, TextForm, TextState, TimeZone};

use super::{lines, record};

/// Reads each line twice: among the others, and alone.
///
/// What is remembered of other lines changes nothing, but for columns that were named; a line that
/// is a request in this form is none in another.
fn read(form: TextForm, data: &[u8]) {
    let zone: Option<TimeZone> = "Europe/Berlin".parse().ok();
    let mut state = TextState::new(zone.clone());
    let mut columns: Option<&[u8]> = None;
    for line in lines(data) {
        let among = form.read(line, &mut state);
        let mut alone = TextState::new(zone.clone());
        if let Some(columns) = columns {
            let _ = form.read(columns, &mut alone);
        }
        assert_eq!(
            form.read(line, &mut alone),
            among,
            "alone, and among others"
        );
        match among {
            Ok(Line::Request(read)) => {
                record::check(&read);
                for other in TextForm::ALL {
                    let mut fresh = TextState::new(zone.clone());
                    let is_request = matches!(other.read(line, &mut fresh), Ok(Line::Request(_)));
                    assert!(
                        other == form || !is_request,
                        "{} and {}: {read:?}",
                        form.as_str(),
                        other.as_str()
                    );
                }
            }
            Ok(Line::Skipped(_)) if names_columns(line) => columns = Some(line),
            Ok(Line::Skipped(_)) => {}
            Err(reason) => assert!(!reason.to_string().is_empty()),
        }
    }
}

/// True for the line of CloudFront that later ones are read by; zeros before it are none of it.
fn names_columns(line: &[u8]) -> bool {
    let zeros = line.iter().take_while(|byte| **byte == 0).count();
    line.get(zeros..)
        .is_some_and(|line| line.starts_with(b"#Fields:"))
}

/// Lines of the common log format and its kin.
pub fn log_common(data: &[u8]) {
    read(TextForm::Combined, data);
}

/// Lines of Envoy's text.
pub fn log_envoy(data: &[u8]) {
    read(TextForm::Envoy, data);
}

/// Lines of an application load balancer.
pub fn log_alb(data: &[u8]) {
    read(TextForm::Alb, data);
}

/// Lines of CloudFront, with the names of columns.
pub fn log_cloudfront(data: &[u8]) {
    read(TextForm::CloudFront, data);
}

/// Lines of HAProxy.
pub fn log_haproxy(data: &[u8]) {
    read(TextForm::HaProxy, data);
}

/// Lines of nginx-proxy-manager.
pub fn log_proxy_manager(data: &[u8]) {
    read(TextForm::ProxyManager, data);
}
