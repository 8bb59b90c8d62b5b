//! What is asked for, and how it is answered.

use fastrand::Rng;

/// Why a client comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Purpose {
    /// One page or call.
    Call,
    /// What belongs to a page.
    Asset,
    /// A password is guessed: so many were before.
    Guess(u16),
    /// Files that other software leaves open.
    Scan,
}

/// What is asked for.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) method: &'static str,
    pub(super) path: String,
    pub(super) query: Option<String>,
    pub(super) status: u16,
}

/// Paths that readers get wrong: encoded twice, empty segments, parameters, letters beyond ASCII,
/// quotes, no path at all.
const ODD: [(&str, &str); 9] = [
    ("GET", "/%2e%2e/%%32%65/"),
    ("GET", "//a///b"),
    ("GET", "/a;jsessionid=1"),
    ("GET", "/straße"),
    ("GET", "/say/\"hello\""),
    ("GET", "/back\\slash"),
    ("GET", "/caf%C3%A9/menu%20du%20jour"),
    ("OPTIONS", "*"),
    ("PROPFIND", "/dav/"),
];

const SCANNED: [&str; 4] = ["/wp-login.php", "/.env", "/phpmyadmin/", "/.git/config"];

pub(super) fn ask(purpose: Purpose, rng: &mut Rng) -> Asked {
    let asked = |method, path, query, status| Asked {
        method,
        path,
        query,
        status,
    };
    match purpose {
        Purpose::Guess(before) => {
            // Whoever limits it already answers 429.
            let status = if before < 10 || before.is_multiple_of(7) {
                401
            } else {
                429
            };
            asked("POST", "/auth/login".to_owned(), None, status)
        }
        Purpose::Scan => {
            let path = SCANNED[rng.usize(..SCANNED.len())].to_owned();
            asked("GET", path, None, 404)
        }
        Purpose::Asset => {
            let path = format!("/assets/part-{}.js", rng.u16(..200));
            let query = rng.bool().then(|| format!("v={}", rng.u8(..9)));
            let status = if rng.u8(..) < 90 { 304 } else { 200 };
            asked("GET", path, query, status)
        }
        Purpose::Call => call(rng),
    }
}

fn call(rng: &mut Rng) -> Asked {
    let id = rng.u32(1..50_000);
    let number = rng.u8(..);
    let (method, path, query, status) = match number {
        0..50 => ("GET", "/".to_owned(), None, 200),
        50..90 => (
            "GET",
            "/places".to_owned(),
            Some(format!("page={}&per=20", id % 40)),
            200,
        ),
        90..140 => ("GET", format!("/places/{id}"), None, 200),
        140..165 => ("GET", format!("/places/{id}/reviews"), None, 200),
        165..180 => (
            "GET",
            "/search".to_owned(),
            Some(format!("q=caf%C3%A9+{id}")),
            200,
        ),
        180..195 => ("POST", format!("/places/{id}/reviews"), None, 201),
        195..205 => ("POST", "/auth/login".to_owned(), None, 200),
        205..210 => ("POST", "/auth/login".to_owned(), None, 401),
        210..225 => ("GET", format!("/api/v1/boards/{id}"), None, 200),
        225..235 => ("PUT", format!("/api/v1/boards/{id}"), None, 200),
        235..238 => ("DELETE", format!("/api/v1/boards/{id}"), None, 204),
        238..243 => ("GET", "/admin/users".to_owned(), None, 403),
        243..248 => ("GET", "/health".to_owned(), None, 200),
        248..252 => ("HEAD", "/".to_owned(), None, 200),
        _ => {
            let (method, path) = ODD[rng.usize(..ODD.len())];
            (method, path.to_owned(), None, 404)
        }
    };
    let status = match rng.u16(..1000) {
        0..3 => 502,
        3..5 => 500,
        5..20 if method == "GET" => 404,
        _ => status,
    };
    Asked {
        method,
        path,
        query,
        status,
    }
}
