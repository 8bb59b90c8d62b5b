//! A PostgreSQL server of the tests' own, one for the process.
//!
//! A static is never dropped, so the server hangs on a pipe instead: a shell
//! starts it and reads from this process, and when that ends, however it ends,
//! the shell stops the server by its own pid and removes its files.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{MetadataExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use sqlx::{AssertSqlSafe, Connection, PgConnection};

const INSTALL: &str = "PostgreSQL is not installed; install it with: apt-get install postgresql";

/// `$1` is the directory to remove in the end, the rest is the server's command.
/// Ctrl-C reaches the server by itself; the shell must live on to clean up.
const WATCH: &str = r#"
trap "" INT TERM
dir=$1; shift
"$@" &
server=$!
cat >/dev/null
kill -INT "$server" 2>/dev/null
wait "$server"
rm -rf "$dir"
"#;

static SERVER: OnceLock<Server> = OnceLock::new();

/// The address of an empty database that no other test has.
pub async fn fresh_postgres_database() -> String {
    let server = SERVER.get_or_init(Server::start);
    let name = format!("test_{}", server.databases.fetch_add(1, Ordering::Relaxed));
    let mut admin = PgConnection::connect(&server.url("postgres"))
        .await
        .unwrap();
    // template0, since nobody ever connects to that.
    let statement = format!("CREATE DATABASE {name} TEMPLATE template0");
    sqlx::query(AssertSqlSafe(statement))
        .execute(&mut admin)
        .await
        .unwrap();
    admin.close().await.unwrap();
    server.url(&name)
}

struct Server {
    dir: PathBuf,
    databases: AtomicU32,
    /// Holds the pipe open.
    _shell: Child,
}

impl Server {
    fn start() -> Self {
        let (initdb, postgres) = programs();
        let dir = tempfile::Builder::new()
            .prefix("examples-pg-")
            .tempdir()
            .unwrap()
            .keep();
        let account = Account::unprivileged(&dir);
        let data = dir.join("data");
        let made = account
            .command(&initdb, &dir)
            .arg("--pgdata")
            .arg(&data)
            .args([
                "--username=tests",
                "--auth=trust",
                "--no-sync",
                "--encoding=UTF8",
            ])
            .arg("--locale=C")
            .output()
            .unwrap();
        assert!(
            made.status.success(),
            "initdb: {}",
            String::from_utf8_lossy(&made.stderr)
        );

        let mut server = account.command(&postgres, &dir);
        server
            .arg("-D")
            .arg(&data)
            .arg("-k")
            .arg(&dir)
            .args(["-c", "listen_addresses="]);
        server.args(["-c", "fsync=off", "-c", "max_connections=300"]);
        let mut shell = Command::new("sh")
            .args(["-c", WATCH, "sh"])
            .arg(&dir)
            .arg(server.get_program())
            .args(server.get_args())
            .current_dir(&dir)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        await_ready(&mut shell);
        Self {
            dir,
            databases: AtomicU32::new(0),
            _shell: shell,
        }
    }

    fn url(&self, database: &str) -> String {
        format!(
            "postgres://tests@localhost/{database}?host={}",
            self.dir.display()
        )
    }
}

/// Reads the server's log up to the line that says it is there, and then on, so
/// that the pipe never fills.
fn await_ready(shell: &mut Child) {
    let mut lines = BufReader::new(shell.stderr.take().unwrap())
        .lines()
        .map_while(Result::ok);
    let mut log = String::new();
    let ready = lines.by_ref().any(|line| {
        log.push_str(&line);
        log.push('\n');
        line.contains("ready to accept connections")
    });
    assert!(ready, "PostgreSQL did not start:\n{log}");
    std::thread::spawn(move || lines.for_each(drop));
}

/// The newest `initdb` and `postgres` of Debian's directories, else of the PATH.
fn programs() -> (PathBuf, PathBuf) {
    let mut homes: Vec<PathBuf> = fs::read_dir("/usr/lib/postgresql")
        .map(|entries| {
            entries
                .filter_map(Result::ok)
                .map(|entry| entry.path().join("bin"))
                .collect()
        })
        .unwrap_or_default();
    homes.sort_by_key(|bin| {
        bin.parent()
            .and_then(Path::file_name)?
            .to_str()?
            .parse::<u32>()
            .ok()
    });
    homes.reverse();
    homes.extend(
        std::env::var_os("PATH")
            .iter()
            .flat_map(std::env::split_paths),
    );
    let home = homes
        .into_iter()
        .find(|bin| bin.join("initdb").is_file() && bin.join("postgres").is_file());
    match home {
        Some(bin) => (bin.join("initdb"), bin.join("postgres")),
        None => panic!("{INSTALL}"),
    }
}

/// Who runs the server: ourselves, but PostgreSQL refuses to run as root.
struct Account {
    drop_to: Option<(u32, u32)>,
}

impl Account {
    /// An account that may run PostgreSQL, made the owner of `dir`.
    fn unprivileged(dir: &Path) -> Self {
        if fs::metadata("/proc/self").unwrap().uid() != 0 {
            return Self { drop_to: None };
        }
        let passwd = fs::read_to_string("/etc/passwd").unwrap();
        let ids = |name: &str| {
            let line = passwd
                .lines()
                .find(|line| line.split(':').next() == Some(name))?;
            let mut fields = line.split(':').skip(2).map(|field| field.parse().ok());
            Some((fields.next()??, fields.next()??))
        };
        let (uid, gid) = ids("postgres").or_else(|| ids("nobody")).unwrap();
        chown(dir, Some(uid), Some(gid)).unwrap();
        Self {
            drop_to: Some((uid, gid)),
        }
    }

    fn command(&self, program: &Path, dir: &Path) -> Command {
        let mut command = match self.drop_to {
            None => Command::new(program),
            Some((uid, gid)) => {
                let mut setpriv = Command::new("setpriv");
                setpriv
                    .arg(format!("--reuid={uid}"))
                    .arg(format!("--regid={gid}"));
                setpriv.arg("--clear-groups").arg(program);
                setpriv
            }
        };
        command.current_dir(dir);
        command
    }
}
