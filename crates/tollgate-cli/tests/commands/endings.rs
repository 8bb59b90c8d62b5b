//! How commands end.

use std::io::Write;
use std::process::Stdio;

use crate::transcript::shell;

const WARNED: &str = "crates/tollgate-policy/tests/file/warned/burst.toml";
const WRONG: &str = "crates/tollgate-policy/tests/file/wrong/key-twice.toml";
const LEAST: &str = "crates/tollgate-policy/tests/file/right/least.toml";
const RIGHT: &str = "crates/tollgate-policy/tests/file/right/example.toml";

fn ends_with(command: &str) -> (i32, String) {
    let output = shell(command).stdin(Stdio::null()).output().unwrap();
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

#[test]
fn check_says_by_its_ending_whether_files_can_be_used() {
    for (arguments, code) in [
        (RIGHT.to_owned(), 0),
        (format!("--deny-warnings {RIGHT}"), 0),
        (WARNED.to_owned(), 0),
        (format!("--deny-warnings {RIGHT} {WARNED}"), 2),
        (format!("{WRONG} {RIGHT}"), 1),
        (format!("--deny-warnings {WARNED} {WRONG}"), 1),
        (format!("{RIGHT} /no/such/file"), 1),
        (format!("--format json {WRONG}"), 1),
        (format!("- < {RIGHT}"), 0),
        ("- < /dev/null".to_owned(), 1),
        (String::new(), 64),
        (format!("--colour {RIGHT}"), 64),
    ] {
        let (ended, errors) = ends_with(&format!("tollgate check {arguments}"));
        assert_eq!(ended, code, "check {arguments}: {errors}");
    }
}

#[test]
fn a_store_that_a_service_would_refuse_is_an_error_where_its_url_stands() {
    for command in ["check -", "explain - --attr path=/"] {
        for url in [
            "redis://h:99999",
            "redis://h/x",
            "redis-sentinel://h",
            "redis://:s3/cret@h",
        ] {
            let file = format!("[store]\nurl = \"{url}\"\n");
            let all = format!("printf '%s' '{file}' | cat - {LEAST} | tollgate {command} 2>&1");
            let output = shell(&all).output().unwrap();
            let said = String::from_utf8(output.stdout).unwrap();
            assert_eq!(output.status.code(), Some(1), "{all}: {said}");
            assert!(said.contains("--> standard input:2:8"), "{all}: {said}");
            assert!(!said.contains("s3"), "{said}");
        }
    }
}

#[test]
fn what_goes_wrong_is_told_in_one_line() {
    for (command, code, message) in [
        (
            format!("tollgate explain {RIGHT} --request /no/such/file"),
            1,
            "tollgate: cannot read /no/such/file: No such file",
        ),
        (
            format!("echo nonsense | tollgate explain {RIGHT}"),
            1,
            "tollgate: standard input is no request of HTTP/1.1, such as `GET /places HTTP/1.1` and header lines: ",
        ),
        (
            format!("tollgate explain - < {RIGHT}"),
            64,
            "tollgate: standard input cannot be both the policy file and the request",
        ),
        (
            format!("echo 'GET / HTTP/1.1' | tollgate explain {RIGHT} --request - --attr path=/"),
            64,
            "tollgate: `path` is what the request says; change it there",
        ),
        (
            format!(
                "echo 'GET / HTTP/1.1' | tollgate explain {RIGHT} --peer ::1 --attr client.ip=::1"
            ),
            64,
            "tollgate: `client.ip` follows from who connects; say that with --peer",
        ),
        (
            "echo 0 | tollgate try 10/min --plot picture.png".to_owned(),
            64,
            "tollgate: --plot writes SVG; name the file picture.svg",
        ),
        (
            "tollgate man /no/such/directory".to_owned(),
            1,
            "tollgate: cannot write to /no/such/directory: ",
        ),
    ] {
        let (ended, errors) = ends_with(&command);
        assert_eq!(ended, code, "{command}: {errors}");
        assert!(errors.starts_with(message), "{command}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{command}: {errors}");
    }
}

#[test]
fn a_wrong_argument_is_a_usage_error_that_says_what_to_write() {
    for (arguments, message) in [
        ("--attr path", "write a name, `=` and a value"),
        ("--attr client.ip=me", "`me` is no address"),
        ("--attr Client.IP=::1", "write `client.ip`"),
        ("--peer localhost", "write an address"),
        ("--after 1000001", "1000001"),
        ("--at now", "`now` is no number of seconds"),
    ] {
        let (ended, errors) = ends_with(&format!("tollgate explain {RIGHT} {arguments}"));
        assert_eq!(ended, 64, "{arguments}: {errors}");
        assert!(errors.contains(message), "{arguments}: {errors}");
    }
}

#[test]
fn a_file_with_errors_explains_nothing() {
    let (ended, errors) = ends_with(&format!("tollgate explain {WRONG} --attr path=/"));
    assert_eq!(ended, 1);
    assert!(errors.starts_with("error: "), "{errors}");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    for (command, code) in [
        (format!("tollgate check {RIGHT} {RIGHT}"), 0),
        (format!("tollgate check --format json {RIGHT}"), 0),
        // A pipe that ends early hides no error.
        (format!("tollgate check {RIGHT} {WRONG}"), 1),
        (format!("tollgate explain {RIGHT} --attr path=/auth"), 0),
        (
            format!("tollgate explain {RIGHT} --attr path=/auth --format json"),
            0,
        ),
        ("tollgate man".to_owned(), 0),
        ("tollgate completions bash".to_owned(), 0),
    ] {
        // It writes when nobody can read any more.
        let mut child = shell(&format!("read -r go; exec {command}"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        child.stdin.take().unwrap().write_all(b"go\n").unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{command}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{command}");
    }
}

#[test]
fn tells_its_version() {
    let output = shell("tollgate --version").output().unwrap();
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        format!("tollgate {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn an_admin_token_that_could_be_guessed_is_refused_and_not_told() {
    let serve =
        format!("tollgate serve --policies {RIGHT} --http 127.0.0.1:0 --grpc off --redis off");
    let of_variable = format!("TOLLGATE_ADMIN_TOKEN=sesame {serve}");
    let of_file = format!("file=$(mktemp); echo sesame > $file; {serve} --admin-token-file $file");
    for (command, message) in [
        (
            of_variable,
            "TOLLGATE_ADMIN_TOKEN cannot be used: the admin token has 6 bytes",
        ),
        (of_file, "cannot be used: the admin token has 6 bytes"),
        (
            format!("{serve} --admin-token-file /no/such/file"),
            "cannot read the admin token from /no/such/file",
        ),
    ] {
        let (ended, errors) = ends_with(&command);
        assert_eq!(ended, 1, "{errors}");
        assert!(errors.contains(message), "{errors}");
        assert!(!errors.contains("sesame"), "{errors}");
    }
}
