use std::fmt::Write;

use sqlx::postgres::PgConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;

use super::*;

const MARKER: &str = "s3cret";

/// All that the program could say about `url` before it reaches a server.
fn everything_shown(url: &str) -> String {
    let database = match DatabaseUrl::parse(url) {
        Err(error) => return format!("{error} {error:?}"),
        Ok(database) => database,
    };
    let mut text = format!("{database} {database:?}");
    let refusal = match database.backend() {
        Backend::Postgres => database.expose().parse::<PgConnectOptions>().err(),
        Backend::Sqlite => database.expose().parse::<SqliteConnectOptions>().err(),
    };
    if let Some(source) = refusal {
        write!(text, " {source} {source:?}").unwrap();
    }
    text
}

#[track_caller]
fn assert_hidden(url: &str) {
    let text = everything_shown(url);
    assert!(!text.contains(MARKER), "{url}: {text}");
}

fn shown(url: &str) -> String {
    DatabaseUrl::parse(url).unwrap().to_string()
}

#[test]
fn no_address_shows_its_password_however_malformed() {
    for url in [
        "postgres://tom:s3cret@db/tasks",
        "postgres://tom:s3cret@@db/tasks",
        "postgres://tom:s3cret%40db/tasks",
        "postgres://tom:s3cret",
        "postgres://tom:s3cret/tasks",
        "postgres://tom:s3@s3cret/tasks",
        "postgres://tom:5/s3cret@127.0.0.1/tasks",
        "postgres://tom:5#s3cret@127.0.0.1/tasks",
        "postgres://127.0.0.1:s3cret/tasks",
        "postgres://127.0.0.1/tom:s3cret",
        "postgres://s3cret",
        "postgres://s3cret@127.0.0.1/tasks",
        "postgres://db/tasks?user=tom&password=s3cret",
        "postgres://db/tasks?PassWord=a@s3cret",
        "postgres://127.0.0.1:1/x?user=tom&pass%77ord=s3cret",
        "postgres://127.0.0.1:1/x?user=tom;password=s3cret",
        "postgres://127.0.0.1:1/x?sslmode=require;password=s3cret",
        "postgres://127.0.0.1:1/x?sslmode=s3cret",
        "postgres://127.0.0.1:1/x?s3cret",
        "sqlite://tom:s3cret@db/tasks",
        "sqlite://a.db?s3cret",
        "sqlite://a.db?key=s3cret",
        "sqlite://a.db?mode=s3cret",
        "mysql://tom:s3cret@db/tasks",
        "s3cret://db/tasks",
        "tom:s3cret",
        "tom:s3cret@db",
        "postgres:tom:s3cret",
        "s3cret",
    ] {
        assert_hidden(url);
    }
}

/// Every scheme, well written or not, before every way to begin, to break and to end
/// the part that holds the password.
#[test]
fn no_character_in_a_password_brings_its_rest_to_light() {
    let schemes = [
        "postgres://",
        "postgresql://",
        "postgres:",
        "postgres:/",
        "postgres//",
        "postgres:///",
        "POSTGRES://",
        "sqlite://",
        "sqlite:",
        "mysql://",
        "://",
        "//",
        "",
    ];
    let starts = [
        "tom:",
        ":",
        "tom%3A",
        "tom::",
        "tom:x@",
        "tom:5432",
        "127.0.0.1:x",
        "localhost:x",
        "[::1]:x",
        "127.0.0.1:1/x?password=",
        "127.0.0.1/x?p%61ssword=",
        "127.0.0.1/x?pass=",
    ];
    let ends = [
        "",
        "/",
        "/tasks",
        "@db/tasks",
        "@127.0.0.1/tasks",
        "@localhost:5432",
        "@[::1]:5432/tasks",
        "%40db/tasks",
        "@@db",
        "?sslmode=require",
        "#",
        "@127.0.0.1/tasks?sslmode=disable",
    ];
    let breaks = "@:/?#%&=+;,\\[]<>\"'` \t\n\u{e4}5.";
    for scheme in schemes {
        for start in starts {
            for end in ends {
                assert_hidden(&format!("{scheme}{start}{MARKER}{end}"));
                for broken in breaks.chars() {
                    assert_hidden(&format!("{scheme}{start}{broken}{MARKER}{end}"));
                    assert_hidden(&format!("{scheme}{start}5{broken}{MARKER}{end}"));
                    assert_hidden(&format!("{scheme}{start}x{broken}{broken}{MARKER}{end}"));
                }
            }
        }
    }
}

#[test]
fn shows_what_cannot_be_a_secret() {
    for (url, expected) in [
        (
            "postgres://tom:s3cret@127.0.0.1:1/tasks",
            "postgres://…@127.0.0.1:1/tasks",
        ),
        (
            "postgres://tom@localhost/tasks",
            "postgres://…@localhost/tasks",
        ),
        (
            "postgresql://[::1]:5432/tasks",
            "postgresql://[::1]:5432/tasks",
        ),
        ("postgres://localhost", "postgres://localhost"),
        (
            "postgres://localhost/tasks?sslmode=disable",
            "postgres://localhost/tasks?…",
        ),
        ("postgres://tom:s3cret@db:5432/tasks", "postgres://…"),
        ("sqlite://taskflow.db", "sqlite://taskflow.db"),
        (
            "sqlite:///var/lib/my tasks.db?mode=ro",
            "sqlite:///var/lib/my tasks.db?…",
        ),
    ] {
        assert_eq!(shown(url), expected);
    }
}

#[test]
fn a_parameter_that_is_not_known_is_refused_by_its_place() {
    let error = DatabaseUrl::parse("postgres://db/x?sslmode=require&pasword=s3cret").unwrap_err();
    assert_eq!(
        error.to_string(),
        "DATABASE_URL is \"postgres://…\": its parameter 2 is not known or has an unknown value; \
         set it to sqlite://FILE or postgres://USER:PASSWORD@HOST/DATABASE",
    );
}

#[test]
fn every_parameter_of_the_drivers_is_let_through() {
    for url in [
        "postgres://db/x?sslmode=verify-full&sslrootcert=a.pem&sslcert=b.pem&sslkey=c.pem",
        "postgres://x?host=/run/postgresql&port=5433&user=tom&password=p%26q&dbname=tasks",
        "postgres://db/x?options=-c%20a=b&options[b]=c&application_name=t&hostaddr=127.0.0.1",
        "postgres://db/x?statement-cache-capacity=5&",
    ] {
        let driver = DatabaseUrl::parse(url).unwrap().expose();
        assert!(driver.parse::<PgConnectOptions>().is_ok(), "{url}");
    }
    for url in [
        "sqlite://a.db?mode=rw&cache=shared&immutable=1&vfs=unix",
        "sqlite://a.db?mode=rwc&cache=private&immutable=false",
    ] {
        let driver = DatabaseUrl::parse(url).unwrap().expose();
        assert!(driver.parse::<SqliteConnectOptions>().is_ok(), "{url}");
    }
}

#[test]
fn an_sqlite_file_is_created_unless_a_mode_is_given() {
    let url = |text| DatabaseUrl::parse(text).unwrap().expose();
    assert_eq!(url("sqlite://a.db"), "sqlite://a.db?mode=rwc");
    assert_eq!(
        url("sqlite://a.db?cache=private"),
        "sqlite://a.db?cache=private&mode=rwc"
    );
    assert_eq!(url("sqlite://a.db?mode=rw"), "sqlite://a.db?mode=rw");
}
