//! `CL.THROTTLE`, beside what redis-cell 0.5.0 in Redis 7.0 has answered to the same commands.

use tollgate::Micros;

use crate::daemon::{Daemon, POLICIES};

/// Asks in order, on one connection and at one instant.
async fn asserts_answers(table: &[(&str, &str)]) {
    let daemon = Daemon::start().await;
    let mut client = daemon.connect().await;
    for (command, expected) in table {
        assert_eq!(client.ask(command).await.shown(), *expected, "{command}");
    }
}

#[tokio::test]
async fn it_answers_the_five_numbers_of_redis_cell() {
    asserts_answers(&[
        ("CL.THROTTLE user123 15 30 60", "0 16 15 -1 2"),
        ("CL.THROTTLE user123 15 30 60 1", "0 16 14 -1 4"),
        ("cl.throttle user123 15 30 60 0", "0 16 14 -1 4"),
        ("CL.THROTTLE user123 15 30 60 20", "1 16 14 -1 4"),
        ("CL.THROTTLE user123 15 30 60 14", "0 16 0 -1 32"),
        ("CL.THROTTLE user123 15 30 60 1", "1 16 0 2 32"),
        ("CL.THROTTLE user123 15 30 60 3", "1 16 0 6 32"),
        ("CL.THROTTLE user123 15 30 60 0", "0 16 0 -1 32"),
        ("CL.THROTTLE a 0 1 2", "0 1 0 -1 2"),
        ("CL.THROTTLE a 0 1 2", "1 1 0 2 2"),
        ("CL.THROTTLE a 0 1 2 2", "1 1 0 -1 2"),
        ("CL.THROTTLE fresh0 4 1 1 0", "0 5 5 -1 0"),
        ("CL.THROTTLE fresh 4 1 1 6", "1 5 5 -1 0"),
        ("CL.THROTTLE frac 2 3 1", "0 3 2 -1 1"),
        ("CL.THROTTLE frac 2 3 1", "0 3 1 -1 1"),
        ("CL.THROTTLE frac 2 3 1", "0 3 0 -1 1"),
        ("CL.THROTTLE frac 2 3 1", "1 3 0 1 1"),
        ("CL.THROTTLE frac7 6 7 60", "0 7 6 -1 9"),
        ("CL.THROTTLE frac7 6 7 60 6", "0 7 0 -1 60"),
        ("CL.THROTTLE frac7 6 7 60 1", "1 7 0 9 60"),
        ("CL.THROTTLE plus +1 +1 +1 +1", "0 2 1 -1 1"),
        ("CL.THROTTLE year 1 1 31622400", "0 2 1 -1 31622400"),
    ])
    .await;
}

#[tokio::test]
async fn what_is_wrong_gets_the_errors_of_redis_cell() {
    const USAGE: &str = "Cell error: Store error: Usage: cl.throttle <key> <max_burst> \
                         <count per period> <period> [<quantity>]";
    const ZERO: &str = "Cell error: Store error: Zero rates are not supported";
    asserts_answers(&[
        ("CL.THROTTLE", USAGE),
        ("CL.THROTTLE k", USAGE),
        ("CL.THROTTLE k 1 1", USAGE),
        ("CL.THROTTLE k 1 1 1 1 1", USAGE),
        ("CL.THROTTLE z 1 0 1", ZERO),
        ("CL.THROTTLE z 1 1 0", ZERO),
        (
            "CL.THROTTLE k a 1 1",
            "Cell error: Store error: Couldn't parse as integer: a",
        ),
        (
            "CL.THROTTLE k 1 b 1",
            "Cell error: Store error: Couldn't parse as integer: b",
        ),
        (
            "CL.THROTTLE k 1 1 c",
            "Cell error: Store error: Couldn't parse as integer: c",
        ),
        (
            "CL.THROTTLE k 1 1 1 d",
            "Cell error: Store error: Couldn't parse as integer: d",
        ),
        (
            "CL.THROTTLE k 1.5 1 1",
            "Cell error: Store error: Couldn't parse as integer: 1.5",
        ),
        (
            "CL.THROTTLE k 99999999999999999999 1 1",
            "Cell error: Store error: Couldn't parse as integer: 99999999999999999999",
        ),
    ])
    .await;
}

/// What redis-cell answers by numbers that have overflowed, been negative or become a float.
#[tokio::test]
async fn where_redis_cell_answers_nonsense_there_is_a_number_or_an_error() {
    asserts_answers(&[
        // redis-cell: 9223372036854775807 remaining.
        ("CL.THROTTLE fast 9 2000000 1", "0 10 9 -1 1"),
        // redis-cell takes a rate above one in a nanosecond for none.
        ("CL.THROTTLE faster 9 2000000000 1", "0 10 9 -1 1"),
        // redis-cell: limited, since 10^9 × 86400 s in nanoseconds overflow.
        (
            "CL.THROTTLE slow 999999 1 86400",
            "ERR CL.THROTTLE: burst is 1000000; at this rate it would take more than 100 years to \
             refill; lower the burst or raise the units",
        ),
        ("CL.THROTTLE long 9 1 2592000 10", "0 10 0 -1 25920000"),
        ("CL.THROTTLE cost 1 1 60 9223372036854775807", "1 2 2 -1 0"),
        (
            "CL.THROTTLE k -1 1 1",
            "ERR CL.THROTTLE: max_burst is -1; it cannot be negative",
        ),
        (
            "CL.THROTTLE k 1 -1 1",
            "ERR CL.THROTTLE: count is -1; it cannot be negative",
        ),
        (
            "CL.THROTTLE k 1 1 -1",
            "ERR CL.THROTTLE: period is -1; it cannot be negative",
        ),
        (
            "CL.THROTTLE k 1 1 1 -9223372036854775808",
            "ERR CL.THROTTLE: quantity is -9223372036854775808; it cannot be negative",
        ),
    ])
    .await;
    let daemon = Daemon::start().await;
    let mut client = daemon.connect().await;
    for command in [
        "CL.THROTTLE k 9223372036854775807 1 1",
        "CL.THROTTLE k 1 9223372036854775807 1",
        "CL.THROTTLE k 1 1 9223372036854775807",
    ] {
        let answer = client.ask(command).await;
        let error = answer.error();
        assert!(error.starts_with("ERR CL.THROTTLE: "), "{error}");
    }
    let key = "k".repeat(1_025);
    let answer = client.ask(&format!("CL.THROTTLE {key} 1 1 1")).await;
    assert_eq!(
        answer.error(),
        "ERR CL.THROTTLE: the key has 1025 bytes; the bound is 1024"
    );
    client
        .send(b"*5\r\n$11\r\nCL.THROTTLE\r\n$1\r\n\xff\r\n$1\r\n1\r\n$1\r\n1\r\n$1\r\n1\r\n")
        .await;
    assert_eq!(
        client.answer().await.error(),
        "ERR CL.THROTTLE: the key is not UTF-8"
    );
}

/// The case of redis-cell's own test, on a clock that is moved.
#[tokio::test]
async fn it_refills_as_redis_cell_does() {
    let daemon = Daemon::start().await;
    let mut client = daemon.connect().await;
    let mut now = 0;
    for (at, quantity, expected) in [
        (0, 6, [1, 5, 5, -1, 0]),
        (0, 1, [0, 5, 4, -1, 1]),
        (0, 1, [0, 5, 3, -1, 2]),
        (0, 1, [0, 5, 2, -1, 3]),
        (0, 1, [0, 5, 1, -1, 4]),
        (0, 1, [0, 5, 0, -1, 5]),
        (0, 1, [1, 5, 0, 1, 5]),
        (3_000, 1, [0, 5, 2, -1, 3]),
        (3_100, 1, [0, 5, 1, -1, 4]),
        (4_000, 1, [0, 5, 1, -1, 4]),
        (8_000, 1, [0, 5, 4, -1, 1]),
        (9_500, 1, [0, 5, 4, -1, 1]),
        (9_500, 0, [0, 5, 4, -1, 1]),
        (9_500, 2, [0, 5, 2, -1, 3]),
        (9_500, 5, [1, 5, 2, 3, 3]),
    ] {
        daemon.clock.advance(Micros::from_millis(at - now));
        now = at;
        let answer = client
            .ask(&format!("CL.THROTTLE foo 4 1 1 {quantity}"))
            .await;
        assert_eq!(answer.integers(), expected, "at {at} ms");
    }
}

#[tokio::test]
async fn who_waits_as_long_as_told_is_admitted_and_part_of_a_second_counts_as_one() {
    let daemon = Daemon::start().await;
    let mut client = daemon.connect().await;
    assert_eq!(
        client.ask("CL.THROTTLE k 0 1 2").await.integers(),
        [0, 1, 0, -1, 2]
    );
    daemon.clock.advance(Micros::new(999_500));
    // 1.0005 s: redis-cell answers 1, and who comes then is limited again.
    assert_eq!(
        client.ask("CL.THROTTLE k 0 1 2").await.integers(),
        [1, 1, 0, 2, 2]
    );
    daemon.clock.advance(Micros::from_secs(2));
    assert_eq!(
        client.ask("CL.THROTTLE k 0 1 2").await.integers(),
        [0, 1, 0, -1, 2]
    );
}

/// As R10 says; redis-cell keeps an instant instead, which means something else when the rate does.
#[tokio::test]
async fn another_burst_or_count_keeps_what_was_used_and_another_period_begins_afresh() {
    asserts_answers(&[
        ("CL.THROTTLE k 9 10 60 8", "0 10 2 -1 48"),
        ("CL.THROTTLE k 4 10 60 1", "1 5 0 6 30"),
        ("CL.THROTTLE k 9 10 60 1", "0 10 1 -1 54"),
        ("CL.THROTTLE k 9 20 60 0", "0 10 1 -1 27"),
        ("CL.THROTTLE k 9 10 120 1", "0 10 9 -1 12"),
        ("CL.THROTTLE k 9 10 60 0", "0 10 1 -1 54"),
    ])
    .await;
}

#[tokio::test]
async fn of_many_clients_at_once_exactly_ten_are_admitted() {
    let daemon = Daemon::with(POLICIES, |settings| settings.workers = 2).await;
    let mut clients = tokio::task::JoinSet::new();
    for _ in 0..25 {
        let mut client = daemon.connect().await;
        clients.spawn(async move {
            let mut admitted = 0;
            for _ in 0..4 {
                let answer = client.ask("CL.THROTTLE shared 9 1 3600").await;
                admitted += usize::from(answer.integers()[0] == 0);
            }
            admitted
        });
    }
    assert_eq!(clients.join_all().await.iter().sum::<usize>(), 10);
}

#[tokio::test]
async fn keys_that_a_caller_makes_up_free_nobody_whom_a_policy_denies() {
    let policies = format!("[store]\nmax_keys = 100\n{POLICIES}");
    let daemon = Daemon::with(&policies, |_| {}).await;
    let mut client = daemon.connect().await;
    let login = "TG.CHECK path /auth client.ip 198.51.100.7";
    for _ in 0..2 {
        assert!(
            client
                .ask(login)
                .await
                .shown()
                .starts_with("1 login allowed")
        );
    }
    assert!(
        client
            .ask(login)
            .await
            .shown()
            .starts_with("0 login limit_exceeded")
    );
    // Each is denied from now on, for longer than the login.
    for number in 0..1_000 {
        let throttle = format!("CL.THROTTLE k{number} 0 1 86400");
        assert_eq!(client.ask(&throttle).await.integers()[0], 0);
    }
    assert!(
        client
            .ask(login)
            .await
            .shown()
            .starts_with("0 login limit_exceeded")
    );
}
