//! `TG.CHECK` and `TG.PEEK`: the policies of the file.

use crate::daemon::Daemon;

async fn asserts_answers(table: &[(&str, &str)]) {
    let daemon = Daemon::start().await;
    let mut client = daemon.connect().await;
    for (command, expected) in table {
        assert_eq!(client.ask(command).await.shown(), *expected, "{command}");
    }
}

#[tokio::test]
async fn it_tells_who_decided_why_and_the_numbers() {
    asserts_answers(&[
        (
            "TG.CHECK path /auth/login client.ip 198.51.100.7",
            "1 login allowed -1 1 2 60",
        ),
        (
            "tg.check client.ip 198.51.100.7 path /auth/login",
            "1 login allowed -1 0 2 60",
        ),
        (
            "TG.CHECK path /auth/login client.ip 198.51.100.7",
            "0 login limit_exceeded 60 0 2 60",
        ),
        (
            "TG.CHECK path /auth/login client.ip 198.51.100.8",
            "1 login allowed -1 1 2 60",
        ),
        ("TG.CHECK path /elsewhere", "1 (nil) no_policy -1 -1 -1 -1"),
        (
            "TG.CHECK path /auth/login",
            "0 login missing_key -1 -1 -1 -1 client.ip",
        ),
        ("TG.CHECK path /closed", "0 closed blocked -1 -1 -1 -1"),
    ])
    .await;
}

#[tokio::test]
async fn a_policy_that_hides_its_numbers_hides_them_here() {
    asserts_answers(&[
        (
            "TG.CHECK path /secret user mo",
            "1 secret allowed -1 -1 -1 -1",
        ),
        (
            "TG.CHECK path /secret user mo",
            "0 secret limit_exceeded 60 -1 -1 -1",
        ),
    ])
    .await;
}

#[tokio::test]
async fn paths_and_addresses_are_compared_as_http_compares_them() {
    asserts_answers(&[
        (
            "TG.CHECK path /auth/login client.ip 198.51.100.7",
            "1 login allowed -1 1 2 60",
        ),
        (
            "TG.CHECK path /auth/../auth/login client.ip ::ffff:198.51.100.7",
            "1 login allowed -1 0 2 60",
        ),
        (
            "TG.CHECK path /auth/login client.ip 2001:db8::1",
            "1 login allowed -1 1 2 60",
        ),
        (
            "TG.CHECK path /auth//login client.ip 2001:db8::2",
            "1 login allowed -1 0 2 60",
        ),
    ])
    .await;
}

#[tokio::test]
async fn parameters_are_read_from_the_query_of_the_path() {
    let policies = "[[policy]]\nname = 'q'\nmatch = { path = '/q', 'query.page' = '2' }\n\
                    shared = true\nlimits = ['2/min fixed-window']\n";
    let daemon = Daemon::with(policies, |_| {}).await;
    let mut client = daemon.connect().await;
    for (command, expected) in [
        ("TG.CHECK path /q?page=2", "1 q allowed -1 1 2 60"),
        ("TG.PEEK path /q?page=2", "1 q allowed -1 1 2 60"),
        ("TG.CHECK path /q?page=3", "1 (nil) no_policy -1 -1 -1 -1"),
        (
            "TG.CHECK path /q?page=3 query.page 2",
            "1 q allowed -1 0 2 60",
        ),
    ] {
        let answer = client.ask(command).await.shown();
        assert_eq!(
            answer.replace("60", ""),
            expected.replace("60", ""),
            "{command}"
        );
    }
}

#[tokio::test]
async fn a_cost_is_told_by_the_last_two_arguments_in_any_letter_case() {
    asserts_answers(&[
        (
            "TG.CHECK path /upload user mo COST 60",
            "1 upload allowed -1 40 100 36",
        ),
        (
            "TG.CHECK path /upload user mo COST 60",
            "0 upload limit_exceeded 12 40 100 36",
        ),
        (
            "TG.CHECK path /upload user mo COST 101",
            "0 upload never_fits -1 40 100 36",
        ),
        (
            "TG.CHECK path /upload user mo COST 0",
            "1 upload allowed -1 40 100 36",
        ),
        (
            "TG.CHECK COST 9 path /upload user mo",
            "1 upload allowed -1 39 100 37",
        ),
        (
            "TG.CHECK path /upload user mo COST 9 COST 39",
            "1 upload allowed -1 0 100 60",
        ),
        (
            "TG.CHECK path /upload user mo cost 1",
            "0 upload limit_exceeded 1 0 100 60",
        ),
        (
            "TG.CHECK path /upload user lu cost 60",
            "1 upload allowed -1 40 100 36",
        ),
        (
            "TG.PEEK path /upload user lu Cost 60",
            "0 upload limit_exceeded 12 40 100 36",
        ),
        (
            "TG.CHECK cost 9 path /upload user lu",
            "1 upload allowed -1 39 100 37",
        ),
        (
            "TG.CHECK path /upload user mo COST 18446744073709551615",
            "0 upload never_fits -1 0 100 60",
        ),
        (
            "TG.CHECK path /upload user mo COST -1",
            "ERR TG.CHECK: COST is `-1`; it is a whole number, at least 0",
        ),
        (
            "TG.CHECK path /upload user mo COST 1.5",
            "ERR TG.CHECK: COST is `1.5`; it is a whole number, at least 0",
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_peek_counts_nothing() {
    asserts_answers(&[
        (
            "TG.PEEK path /auth/login client.ip 198.51.100.7",
            "1 login allowed -1 2 2 0",
        ),
        (
            "TG.PEEK path /auth/login client.ip 198.51.100.7",
            "1 login allowed -1 2 2 0",
        ),
        (
            "TG.CHECK path /auth/login client.ip 198.51.100.7 COST 2",
            "1 login allowed -1 0 2 60",
        ),
        (
            "TG.PEEK path /auth/login client.ip 198.51.100.7",
            "0 login limit_exceeded 60 0 2 60",
        ),
    ])
    .await;
}

#[tokio::test]
async fn what_is_no_attribute_is_an_error_that_names_it() {
    let daemon = Daemon::start().await;
    let mut client = daemon.connect().await;
    for (command, expected) in [
        (
            "TG.CHECK",
            "ERR wrong number of arguments for 'tg.check' command",
        ),
        (
            "TG.CHECK user",
            "ERR wrong number of arguments for 'tg.check' command",
        ),
        (
            "TG.CHECK user mo path",
            "ERR TG.CHECK: the attribute `path` has no value; write `path VALUE`",
        ),
        (
            "TG.CHECK user mo user mo",
            "ERR TG.CHECK: the attribute `user` is given twice",
        ),
        (
            "TG.PEEK Path /",
            "ERR TG.PEEK: `Path` is not an attribute; write `path`",
        ),
        (
            "TG.CHECK path https://example.org/auth/login",
            "ERR TG.CHECK: the value of the attribute `path`, `https://example.org/auth/login`, is no path; \
             give what follows the host, from the first `/` on, such as `/auth/login`",
        ),
    ] {
        assert_eq!(client.ask(command).await.error(), expected);
    }
    let answer = client.ask("TG.CHECK client.ip localhost").await;
    assert!(
        answer
            .error()
            .contains("`client.ip`, `localhost`, is no IP address")
    );
    client
        .send(b"*3\r\n$8\r\nTG.CHECK\r\n$4\r\nuser\r\n$1\r\n\xff\r\n")
        .await;
    let answer = client.answer().await;
    assert_eq!(
        answer.error(),
        "ERR TG.CHECK: the value of the attribute `user` is not UTF-8"
    );
}

#[tokio::test]
async fn in_the_third_version_the_answer_is_a_map_of_the_same_values() {
    let daemon = Daemon::start().await;
    let mut client = daemon.connect().await;
    client.ask("HELLO 3").await;
    let answer = client
        .ask("TG.CHECK path /auth/login client.ip 198.51.100.7")
        .await;
    assert_eq!(
        answer.shown(),
        "allowed=1 policy=login reason=allowed retry_after=-1 remaining=1 limit=2 reset_after=60"
    );
    let answer = client.ask("TG.PEEK path /elsewhere").await;
    assert_eq!(
        answer.shown(),
        "allowed=1 policy=(nil) reason=no_policy retry_after=-1 remaining=-1 limit=-1 reset_after=-1"
    );
    assert_eq!(
        client.ask("CL.THROTTLE k 0 1 1").await.integers(),
        [0, 1, 0, -1, 1]
    );
}
