//! How it begins, or does not, and who asks it.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Command;

use tollgate_testkit::redis::Certificates;

use crate::process::{Daemon, folder, path, serve};

/// How it ended, and what it said last.
fn ends(command: &mut Command) -> (i32, String) {
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap(), said)
}

#[test]
fn what_keeps_it_from_beginning_is_told_with_what_to_do() {
    let folder = folder();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    std::fs::write(path(&folder, "wrong.toml"), "nonsense").unwrap();
    let cases: [(&[&str], i32, &str); 10] = [
        (&["--grpc", &taken], 1, "cannot listen on 127.0.0.1:"),
        (&["--grpc", &taken], 1, "Address already in use"),
        (&["--policies", "wrong.toml"], 1, "wrong.toml:1:8"),
        (&["--policies", "missing.toml"], 1, "missing.toml"),
        (&["--tls-cert", "x"], 64, "--tls-key"),
        (
            &["--tls-cert", "/no/such", "--tls-key", "x"],
            1,
            "cannot encrypt: cannot read /no/such: No such file",
        ),
        (&["--port", "80"], 64, "`--http 127.0.0.1:8070`"),
        (&["--drain", "10"], 64, "such as `250ms`, `10s`"),
        (&["--unix-mode", "999"], 64, "such as 660"),
        (&["--grpc", "systemd:grpc"], 1, "has passed no socket"),
    ];
    for (arguments, code, message) in cases {
        let (ended, said) = ends(serve(folder.path()).args(arguments));
        assert_eq!(ended, code, "{arguments:?}: {said}");
        assert!(said.contains(message), "{arguments:?}: {said}");
    }
}

#[test]
fn the_log_says_what_is_encrypted_and_whom_it_refuses() {
    let certificates = Certificates::new();
    let folder = folder();
    for (name, pem) in [
        ("tls.crt", certificates.server_certificate()),
        ("tls.key", certificates.server_key()),
        ("ca.crt", certificates.authority()),
    ] {
        std::fs::write(path(&folder, name), pem.text()).unwrap();
    }
    let plain = Daemon::start(&mut serve(folder.path()));
    assert!(
        plain.listening.contains("encrypted=\"none\""),
        "{}",
        plain.listening
    );
    let encrypted = ["--tls-cert", "tls.crt", "--tls-key", "tls.key"];
    let daemon = Daemon::start(
        serve(folder.path())
            .args(["--redis", "127.0.0.1:0", "--tls-except", "redis"])
            .args(encrypted)
            .args(["--tls-client-ca", "ca.crt"]),
    );
    let line = &daemon.listening;
    assert!(
        line.ends_with("encrypted=\"http\" client_certificates=true"),
        "{line}"
    );
    let mut client = TcpStream::connect(daemon.port()).unwrap();
    client.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    let line = daemon.await_line("a client was refused: no agreement was reached on encryption");
    assert!(
        line.contains("WARN") && line.contains("surface=\"http\" peer=\"127.0.0.1\""),
        "{line}"
    );
}

fn probe() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tollgate"));
    command.env_clear().arg("probe");
    command
}

#[test]
fn a_probe_says_whether_it_is_ready() {
    let folder = folder();
    let socket = format!("unix:{}", path(&folder, "socket").display());
    let daemon = Daemon::start(serve(folder.path()).args(["--operations", &socket]));
    for variables in [
        [
            ("TOLLGATE_HTTP", daemon.http.as_str()),
            ("TOLLGATE_OPERATIONS", "off"),
        ],
        [
            ("TOLLGATE_HTTP", "127.0.0.1:1"),
            ("TOLLGATE_OPERATIONS", &socket),
        ],
        [
            ("TOLLGATE_HTTP", "127.0.0.1:1"),
            ("TOLLGATE_PROBE", &daemon.http),
        ],
    ] {
        let output = probe().envs(variables).output().unwrap();
        assert!(output.status.success(), "{variables:?} {output:?}");
        assert_eq!(output.stdout, b"ok\n");
    }
    // Leaving, it lives and is not ready.
    daemon.signal("-TERM");
    daemon.await_line("not ready any more");
    let mut ask = probe();
    let (ended, _) = ends(ask.args(["--address", &socket]));
    assert_eq!(ended, 1);
    let (ended, said) = ends(ask.args(["--path", "/livez"]));
    assert_eq!(ended, 0, "{said}");
    assert!(daemon.end().success());
    let (ended, said) = ends(&mut ask);
    assert_eq!(ended, 1);
    assert!(said.contains("nothing answers at unix:"), "{said}");
}

#[test]
fn its_last_line_says_how_it_has_ended() {
    let folder = folder();
    let daemon = Daemon::start(&mut serve(folder.path()));
    daemon.signal("-TERM");
    let line = daemon.await_line("ended");
    assert!(line.ends_with("ended: no connection was cut off"), "{line}");
    assert!(daemon.end().success());

    let daemon = Daemon::start(serve(folder.path()).args(["--drain", "50ms"]));
    let mut client = TcpStream::connect(daemon.port()).unwrap();
    let head = "POST /v1/check HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n\
                content-length: 9\r\nexpect: 100-continue\r\n\r\n";
    client.write_all(head.as_bytes()).unwrap();
    // It waits for the body now, which never comes.
    client.read_exact(&mut [0; 12]).unwrap();
    daemon.signal("-TERM");
    let line = daemon.await_line("ended");
    assert!(
        line.contains("connections were cut off") && line.ends_with("connections=1"),
        "{line}"
    );
    assert!(daemon.end().success());
}

#[cfg(not(feature = "opentelemetry"))]
#[test]
fn without_opentelemetry_in_it_an_option_is_an_error_and_a_variable_a_warning() {
    let folder = folder();
    let (ended, said) = ends(serve(folder.path()).args(["--otlp-endpoint", "http://otel"]));
    assert_eq!(ended, 1);
    assert!(
        said.contains("build it with `--features opentelemetry`"),
        "{said}"
    );
    let mut command = serve(folder.path());
    let daemon = Daemon::start(command.env("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://otel"));
    let line = daemon.said("nothing is exported");
    assert!(
        line.contains("WARN") && line.contains("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"),
        "{line}"
    );
}
