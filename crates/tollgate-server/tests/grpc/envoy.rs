//! The real Envoy, by the configuration that people copy.

use std::fs::{self, File};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use std::{env, io};

use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket};
use tokio::process::{Child, Command};
use tokio::time::{sleep, timeout};
use tollgate_testkit::redis::free_port;

use crate::support::Daemon;

const CONFIGURATION: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/envoy/envoy.yaml");
const INSTALLED: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../target/parts/envoy/envoy"
);

/// Ten logins a minute for each client, and everything else without a limit.
const TEN_LOGINS: &str = "[[policy]]\nname = 'login'\nmatch = { path = '/auth/**', domain = 'edge' }\n\
     key = ['client.ip']\nlimits = ['10/min fixed-window']\n";

/// How often ports that looked free may be taken by others.
const ATTEMPTS: usize = 8;

fn program() -> PathBuf {
    let program = env::var_os("TOLLGATE_ENVOY").map_or_else(|| INSTALLED.into(), PathBuf::from);
    assert!(
        Path::new(&program).exists(),
        "there is no Envoy at {}; install it with: scripts/parts",
        program.display()
    );
    program
}

/// An Envoy between clients, a service and a daemon.
struct Envoy {
    clients: SocketAddr,
    folder: TempDir,
    _process: Child,
}

impl Envoy {
    /// By the configuration as it stands, but for ports, for what is replaced, and for how long a
    /// daemon is waited for: on a busy machine that must not say what requests get.
    async fn start(daemon: SocketAddr, replacements: &[(&str, &str)]) -> Self {
        for _ in 0..ATTEMPTS {
            match Self::run(daemon, replacements).await {
                Ok(envoy) => return envoy,
                // A port that looked free was taken by another.
                Err(said) if said.contains("already in use") => {}
                Err(said) => panic!("Envoy has ended: {said}"),
            }
        }
        panic!("Envoy found no free ports")
    }

    /// What it said if it has ended before it was ready.
    async fn run(daemon: SocketAddr, replacements: &[(&str, &str)]) -> Result<Self, String> {
        let service = serve().await;
        // Envoy does not say which ports it took, so it cannot choose by itself.
        let (clients, admin) = (free_port(), free_port());
        let text = fs::read_to_string(CONFIGURATION).unwrap();
        assert!(text.contains(": 0.25s"));
        let mut text = text.replace(": 0.25s", ": 30s");
        let ports = [
            ("port_value: 8000 ", clients),
            ("port_value: 8080 ", service),
            ("port_value: 7071 ", daemon.port()),
            ("port_value: 9901 ", admin),
        ];
        let ports = ports.map(|(old, port)| (old, format!("port_value: {port} ")));
        let others = replacements
            .iter()
            .map(|(old, new)| (*old, (*new).to_owned()));
        for (old, new) in ports.into_iter().chain(others) {
            assert_eq!(text.matches(old).count(), 1, "{old}");
            text = text.replace(old, &new);
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("envoy.yaml");
        fs::write(&path, text).unwrap();
        let log = |name| File::create(folder.path().join(name)).unwrap();
        let mut process = Command::new(program())
            .args([
                "--concurrency",
                "1",
                "--disable-hot-restart",
                "--log-level",
                "warning",
            ])
            .arg("-c")
            .arg(path)
            .stdin(Stdio::null())
            .stdout(log("stdout"))
            .stderr(log("stderr"))
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let admin = SocketAddr::from((Ipv4Addr::LOCALHOST, admin));
        let ready = async {
            loop {
                match get(admin, "/ready", &[]).await {
                    Ok(answer) if answer.status == 200 => return Ok(()),
                    _ => {}
                }
                if process.try_wait().unwrap().is_some() {
                    return Err(fs::read_to_string(folder.path().join("stderr")).unwrap());
                }
                sleep(Duration::from_millis(20)).await;
            }
        };
        timeout(Duration::from_secs(60), ready).await.unwrap()?;
        Ok(Self {
            clients: SocketAddr::from((Ipv4Addr::LOCALHOST, clients)),
            folder,
            _process: process,
        })
    }

    async fn get(&self, path: &str) -> Answer {
        get(self.clients, path, &[]).await.unwrap()
    }

    /// What its log says of requests, when there are so many lines.
    async fn log(&self, lines: usize) -> String {
        let written = async {
            loop {
                let log = fs::read_to_string(self.folder.path().join("stdout")).unwrap();
                if log.lines().count() >= lines {
                    return log;
                }
                // Envoy writes it every ten seconds, or when it ends.
                sleep(Duration::from_millis(100)).await;
            }
        };
        timeout(Duration::from_secs(60), written).await.unwrap()
    }
}

/// A service that says `served` to everybody, and how it was asked.
async fn serve() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut buffer = [0; 4096];
                while stream.read(&mut buffer).await.is_ok_and(|read| read > 0) {
                    let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nserved";
                    if stream.write_all(answer).await.is_err() {
                        return;
                    }
                }
            });
        }
    });
    port
}

#[derive(Debug)]
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    /// The value of a field, which is there once or not at all.
    fn field(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        let mut found = lines.filter(|(known, _)| known.eq_ignore_ascii_case(name));
        let value = found.next().map(|(_, value)| value);
        assert!(found.next().is_none(), "{name} is there twice: {self:?}");
        value
    }
}

async fn get(address: SocketAddr, path: &str, headers: &[(&str, &str)]) -> io::Result<Answer> {
    get_from(Ipv4Addr::LOCALHOST, address, path, headers).await
}

/// Asks from one of the addresses of this machine.
async fn get_from(
    from: Ipv4Addr,
    address: SocketAddr,
    path: &str,
    headers: &[(&str, &str)],
) -> io::Result<Answer> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::from((IpAddr::from(from), 0)))?;
    let mut stream = socket.connect(address).await?;
    let headers: String = headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect();
    let request =
        format!("GET {path} HTTP/1.1\r\nhost: a.example\r\nconnection: close\r\n{headers}\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    Ok(Answer {
        status: status.unwrap_or(0),
        head: head.to_owned(),
        body: body.to_owned(),
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn the_eleventh_request_of_a_client_is_denied_with_a_true_retry_after() {
    let daemon = Daemon::start(TEN_LOGINS).await;
    let envoy = Envoy::start(daemon.address, &[]).await;
    for left in (0..10).rev() {
        let answer = envoy.get("/auth/login").await;
        assert_eq!((answer.status, &*answer.body), (200, "served"));
        assert_eq!(
            answer.field("x-ratelimit-remaining"),
            Some(&*left.to_string())
        );
    }
    let denied = envoy.get("/auth/login?again").await;
    assert_eq!(denied.status, 429, "{denied:?}");
    assert_eq!(denied.field("x-envoy-ratelimited"), Some("true"));
    assert_eq!(
        denied.field("content-type"),
        Some("application/problem+json")
    );
    assert_eq!(denied.field("ratelimit"), Some("\"login\";r=0;t=30"));
    assert_eq!(
        denied.field("ratelimit-policy"),
        Some("\"login\";q=10;w=60")
    );
    assert!(denied.body.contains("quota-exceeded"), "{denied:?}");

    // Nothing that it says makes it another client, and no spelling makes it another path.
    for header in [
        "x-forwarded-for",
        "x-real-ip",
        "forwarded",
        "x-envoy-external-address",
    ] {
        let spoofed = get(envoy.clients, "/auth/login", &[(header, "203.0.113.7")]).await;
        assert_eq!(spoofed.unwrap().status, 429, "{header}");
    }
    assert_eq!(envoy.get("/auth/../auth/%6cogin").await.status, 429);
    let raw = get(envoy.clients, "/auth/\u{ff}", &[]).await.unwrap();
    assert_ne!(raw.status, 200, "{raw:?}");
    // Another client is not concerned, nor another path.
    let other = Ipv4Addr::new(127, 0, 0, 2);
    let other = get_from(other, envoy.clients, "/auth/login", &[]).await;
    assert_eq!(other.unwrap().status, 200);
    assert_eq!(envoy.get("/places").await.status, 200);

    let wait: u64 = denied.field("retry-after").unwrap().parse().unwrap();
    daemon.advance_secs(wait - 1);
    assert_eq!(envoy.get("/auth/login").await.status, 429);
    daemon.advance_secs(1);
    assert_eq!(envoy.get("/auth/login").await.status, 200);

    let log = envoy.log(20).await;
    let line = "GET /auth/login?again 429 policy=login reason=limit_exceeded";
    assert!(log.lines().any(|it| it == line), "{log}");
}

/// A block of the page in this language, in the place that it has in the configuration.
fn shown(number: usize, indent: usize) -> String {
    const PAGE: &str = include_str!("../../../../docs/daemon/grpc.md");
    let block = PAGE.split("```yaml\n").nth(number).unwrap();
    let lines = block.split("```").next().unwrap().lines();
    let lines = lines.map(|line| format!("{:indent$}{line}\n", ""));
    lines.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_daemon_the_login_can_be_closed_and_the_rest_open() {
    let daemon = Daemon::start(TEN_LOGINS).await;
    let router = "          - name: envoy.filters.http.router\n";
    let routes =
        "              - match: { prefix: \"/\" }\n                route: { cluster: service }\n";
    let envoy = Envoy::start(
        daemon.address,
        &[
            (router, &(shown(1, 10) + router)),
            (routes, &shown(2, 14)),
            (
                "codec_type: AUTO",
                "codec_type: AUTO\n          normalize_path: true\n          merge_slashes: true",
            ),
        ],
    )
    .await;
    for left in (0..10).rev() {
        let answer = envoy.get("/auth/login").await;
        assert_eq!(
            answer.field("x-ratelimit-remaining"),
            Some(&*left.to_string())
        );
    }
    assert_eq!(envoy.get("/auth/login").await.status, 429);
    assert_eq!(envoy.get("/places").await.status, 200);
    assert!(daemon.stop().await);
    for login in ["/auth/login", "/x/../auth/login", "//auth//login"] {
        assert_eq!(envoy.get(login).await.status, 503, "{login}");
    }
    assert_eq!(envoy.get("/places").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_daemon_envoy_does_what_its_configuration_says() {
    // Nobody gets this port by chance while the daemon is away.
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, free_port()));
    let daemon = Daemon::start_at(TEN_LOGINS, address).await;
    let closed = Envoy::start(address, &[]).await;
    let allow = [("failure_mode_deny: true", "failure_mode_deny: false")];
    let open = Envoy::start(address, &allow).await;
    for envoy in [&closed, &open] {
        assert_eq!(envoy.get("/auth/login").await.status, 200);
    }
    assert!(
        daemon.stop().await,
        "it drains though Envoy stays connected"
    );
    let denied = closed.get("/auth/login").await;
    assert_eq!(denied.status, 503, "{denied:?}");
    for _ in 0..12 {
        assert_eq!(open.get("/auth/login").await.status, 200);
    }
    // When it is back, it decides again.
    let _daemon = Daemon::start_at(TEN_LOGINS, address).await;
    let decides = async {
        while closed.get("/auth/login").await.status != 200 {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(Duration::from_secs(60), decides).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_is_away_is_an_error_to_envoy_and_no_denial() {
    // Nobody listens there.
    let policies =
        format!("[store]\nurl = 'redis://127.0.0.1:1'\n{TEN_LOGINS}on_store_failure = 'deny'\n");
    let daemon = Daemon::start(&policies).await;
    let envoy = Envoy::start(daemon.address, &[]).await;
    let answer = envoy.get("/auth/login").await;
    assert_eq!(answer.status, 503, "{answer:?}");
    assert_eq!(envoy.get("/places").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn envoys_own_fields_tell_the_same_numbers() {
    let policies = format!("[response]\nheaders = ['ietf']\n{TEN_LOGINS}");
    let daemon = Daemon::start(&policies).await;
    let own = [(
        "enable_x_ratelimit_headers: \"OFF\"",
        "enable_x_ratelimit_headers: DRAFT_VERSION_03",
    )];
    let envoy = Envoy::start(daemon.address, &own).await;
    for left in (0..10).rev() {
        let answer = envoy.get("/auth/login").await;
        let limit = "10, 10;w=60;name=\"login\"";
        assert_eq!(answer.field("x-ratelimit-limit"), Some(limit));
        let remaining = answer.field("x-ratelimit-remaining");
        assert_eq!(remaining, Some(&*left.to_string()));
        assert_eq!(answer.field("x-ratelimit-reset"), Some("30"));
    }
    let denied = envoy.get("/auth/login").await;
    assert_eq!(denied.status, 429);
    assert_eq!(denied.field("x-ratelimit-remaining"), Some("0"));
    assert_eq!(denied.field("retry-after"), Some("30"));
}
