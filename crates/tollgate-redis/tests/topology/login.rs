//! Users, passwords and databases of one server.

use tollgate_testkit::redis::RedisServer;

use crate::given::{decide, limit, open};

#[tokio::test]
async fn a_user_needs_no_more_than_its_keys_and_scripts() {
    let server = RedisServer::start();
    let password = "s3cret:/?#@%";
    server.command(&[
        "ACL",
        "SETUSER",
        "limiter",
        "on",
        &format!(">{password}"),
        "~shop:*",
        "+@scripting",
        "+@read",
        "+@write",
        "-@dangerous",
        "+time",
        "+select",
    ]);
    let host = format!("127.0.0.1:{}", server.port());
    let stores = [
        open(&format!(
            "redis://limiter:s3cret%3A%2F%3F%23%40%25@{host}/7"
        )),
        open(&format!("redis://{host}/7"))
            .login("limiter", password)
            .unwrap(),
        open(&format!(
            "{}?user=limiter&pass=s3cret%3A%2F%3F%23%40%25&db=7",
            server.unix_url()
        )),
    ];
    for (count, store) in (1..).zip(stores) {
        let store = store.prefix("shop");
        let outcomes = decide(&store, &limit(5), "k").await.unwrap();
        assert_eq!(outcomes.deciding().unwrap().remaining, 5 - count);
        let elsewhere = store.prefix("elsewhere");
        let error = decide(&elsewhere, &limit(5), "k").await.unwrap_err();
        assert!(
            error.to_string().contains("may not use these keys"),
            "{error}"
        );
        let text = format!("{elsewhere:?} {error:?}");
        assert!(!text.contains("s3cret"), "{text}");
    }
    assert!(server.info("db7").is_some());
    assert!(server.info("db0").is_none());
}
