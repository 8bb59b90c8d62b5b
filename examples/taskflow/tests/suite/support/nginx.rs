//! nginx before the service, and what it logs.

use std::env;
use std::fs;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::process::Command;

use reqwest::Method;
use tempfile::TempDir;
use tollgate_testkit::redis::{Process, free_port};

const INSTALL: &str = "install it with: ./scripts/parts";

/// One process, so that none is left when it is killed. Three logs of the same requests: as nginx
/// writes them unless told otherwise, with durations, and as exactly as it can.
const CONFIGURATION: &str = r#"
daemon off;
master_process off;
pid nginx.pid;
error_log stderr notice;
events {}
http {
    log_format timed '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent '
                     '"$http_referer" "$http_user_agent" $request_time';
    log_format precise '$msec $request_time $remote_addr "$request" $status';
    access_log combined.log combined;
    access_log timed.log timed;
    access_log precise.log precise;
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    server {
        listen 127.0.0.1:PORT;
        location / {
            proxy_pass SERVICE;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        }
        # Takes about a second to be sent.
        location = /slow {
            limit_rate 50;
            return 200 "This line has a hundred letters or so, and is sent fifty at a time: it is there in a second. ....\n";
        }
    }
}
"#;

/// What writes the log `precise.log`.
pub(crate) const PRECISE: &str = r#"$msec $request_time $remote_addr "$request" $status"#;

/// A proxy before a service, which trusts it if it trusts 127.0.0.1.
#[derive(Debug)]
pub(crate) struct Nginx {
    process: Process,
    folder: TempDir,
    url: String,
}

impl Nginx {
    pub(crate) fn before(service: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        // A port that looked free may be taken by another.
        for _ in 0..8 {
            let port = free_port();
            let configuration = CONFIGURATION
                .replace("PORT", &port.to_string())
                .replace("SERVICE", service);
            fs::write(folder.path().join("nginx.conf"), configuration).unwrap();
            let mut command = Command::new(program());
            command.args(["-e", "stderr", "-c", "nginx.conf", "-p"]);
            command.arg(folder.path());
            match Process::start(&command, "event method", INSTALL) {
                Ok(process) => {
                    let url = format!("http://127.0.0.1:{port}");
                    return Self {
                        process,
                        folder,
                        url,
                    };
                }
                Err(said) => assert!(said.contains("already in use"), "{said}"),
            }
        }
        panic!("nginx found no free port")
    }

    /// A client with an address of its own.
    pub(crate) fn client(&self, number: u8) -> NginxClient {
        let from = Ipv4Addr::new(127, 0, 1, number);
        let http = reqwest::Client::builder().local_address(IpAddr::V4(from));
        NginxClient {
            http: http.build().unwrap(),
            url: self.url.clone(),
        }
    }

    /// Ends it, so that all is written; where its logs are.
    pub(crate) fn end(mut self) -> TempDir {
        self.process.terminate();
        self.folder
    }
}

/// Somebody who asks through the proxy.
#[derive(Debug)]
pub(crate) struct NginxClient {
    http: reqwest::Client,
    url: String,
}

impl NginxClient {
    /// Tries to log in; the status of the answer.
    pub(crate) async fn log_in(&self) -> u16 {
        let request = self
            .http
            .request(Method::POST, format!("{}/auth/login", self.url));
        // It is refused before any password is looked at, which is slow on purpose.
        let answer = request.json(&serde_json::json!({})).send().await.unwrap();
        answer.status().as_u16()
    }

    /// Asks for what takes about a second to be sent; the minute and the second of the hour at which
    /// it began to be.
    pub(crate) async fn slow(&self) -> (u8, u8) {
        let request = self.http.get(format!("{}/slow", self.url));
        let answer = request.send().await.unwrap();
        // `Thu, 05 Nov 2026 06:25:02 GMT`
        let date = answer.headers()["date"].to_str().unwrap().to_owned();
        assert!(answer.text().await.unwrap().len() > 60);
        (date[20..22].parse().unwrap(), date[23..25].parse().unwrap())
    }
}

/// Its folder is that of servers, which is not in everybody's path.
fn program() -> PathBuf {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain(["/usr/sbin".into()]);
    let mut programs = folders.map(|folder| folder.join("nginx"));
    let found = programs.find(|program| program.is_file());
    found.unwrap_or_else(|| panic!("there is no nginx; {INSTALL}"))
}

/// A request, as `precise.log` has it: microseconds since the epoch.
#[derive(Debug)]
pub(crate) struct Logged {
    pub(crate) client: String,
    pub(crate) begin: u64,
    pub(crate) end: u64,
    pub(crate) is_login: bool,
    pub(crate) status: u16,
}

/// What `precise.log` has.
pub(crate) fn logged(folder: &Path) -> Vec<Logged> {
    let text = fs::read_to_string(folder.join("precise.log")).unwrap();
    let micros = |seconds: &str| {
        let (whole, millis) = seconds.split_once('.').unwrap();
        let (whole, millis): (u64, u64) = (whole.parse().unwrap(), millis.parse().unwrap());
        (whole * 1000 + millis) * 1000
    };
    let line = |line: &str| {
        let mut words = line.split(' ');
        let end = micros(words.next().unwrap());
        let duration = micros(words.next().unwrap());
        Logged {
            client: words.next().unwrap().to_owned(),
            begin: end - duration,
            end,
            is_login: line.contains("\"POST /auth/login "),
            status: line.rsplit(' ').next().unwrap().parse().unwrap(),
        }
    };
    text.lines().map(line).collect()
}
