//! Places: found by name and tag, and changed.

use serde_json::{Value, json};

use crate::support::{Client, Engine, TestApp, column, id, on_each_engine, place, place_at};

on_each_engine!(
    a_name_is_found_by_any_part_in_any_case,
    a_tag_finds_its_places_and_lists_itself,
    lists_come_in_pieces_without_gap_or_double,
    a_change_touches_only_what_it_names,
    half_a_position_is_refused,
    parallel_changes_of_tags_leave_one_set_of_them,
    ids_are_never_given_twice,
);

async fn names(client: &Client, query: &str) -> Vec<Value> {
    let listing = client.get(&format!("/places?{query}")).await.expect(200);
    column(&listing, "name")
}

async fn a_name_is_found_by_any_part_in_any_case(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    for name in [
        "Old Bridge",
        "ÜBERLINGEN",
        "100% sky",
        "a_b",
        r"back\slash",
        "aXb",
    ] {
        place_at(&ann, name, 0.0, 0.0).await;
    }
    assert_eq!(names(&ann, "q=bRiDgE").await, ["Old Bridge"]);
    assert_eq!(names(&ann, "q=%C3%BCber").await, ["ÜBERLINGEN"]);
    // What a pattern would take for anything stands for itself.
    assert_eq!(names(&ann, "q=%25").await, ["100% sky"]);
    assert_eq!(names(&ann, "q=a_b").await, ["a_b"]);
    assert_eq!(names(&ann, "q=%5C").await, [r"back\slash"]);
    assert_eq!(names(&ann, "q='%20OR%201=1").await, [""; 0]);
    assert_eq!(names(&ann, "q=").await.len(), 6);
    for query in [format!("q={}", "x".repeat(101)), "q=%00".to_owned()] {
        let answer = ann.get(&format!("/places?{query}")).await;
        let message = answer.expect_error(400, "validation");
        assert!(message.starts_with("q: "), "{message}");
    }
}

async fn a_tag_finds_its_places_and_lists_itself(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    for (name, tags) in [
        ("One", json!(["sea"])),
        ("Two", json!(["Sea", "dawn"])),
        ("Three", json!([])),
    ] {
        let new = json!({"name": name, "latitude": 1, "longitude": 1, "tags": tags});
        ann.post("/places", new).await.expect(201);
    }
    assert_eq!(names(&ann, "tag=SEA").await, ["One", "Two"]);
    assert_eq!(names(&ann, "tag=sea&q=two").await, ["Two"]);
    assert_eq!(names(&ann, "tag=dawn&near=1,1").await, ["Two"]);
    assert_eq!(names(&ann, "tag=nothing").await, [""; 0]);
    let tags = ann.get("/tags").await.expect(200);
    assert_eq!(
        tags["items"],
        json!([{"tag": "sea", "places": 2}, {"tag": "dawn", "places": 1}])
    );
    ann.get("/places?tag=a,b")
        .await
        .expect_error(400, "validation");
}

async fn lists_come_in_pieces_without_gap_or_double(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    for number in 0..5 {
        place_at(&ann, &format!("Place {number}"), 0.0, 0.0).await;
    }
    let mut found = Vec::new();
    let mut offset = Some(0);
    while let Some(start) = offset {
        // All of them are equally far: the order is theirs nevertheless.
        let path = format!("/places?near=0,0&limit=2&offset={start}");
        let listing = app.client.get(&path).await.expect(200);
        found.extend(column(&listing, "name"));
        offset = listing["next_offset"].as_i64();
    }
    assert_eq!(
        found,
        ["Place 0", "Place 1", "Place 2", "Place 3", "Place 4"]
    );
    assert_eq!(names(&ann, "offset=10000").await, [""; 0]);
    for (query, field) in [
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=-1", "limit"),
        ("limit=x", "limit"),
        ("offset=10001", "offset"),
        ("offset=-1", "offset"),
        ("page=2", "page"),
    ] {
        let lists = ["/places", "/tags", "/services", "/bookings"];
        for list in lists {
            let answer = ann.get(&format!("{list}?{query}")).await;
            let message = answer.expect_error(400, "validation");
            assert!(message.contains(field), "{list}?{query}: {message}");
        }
    }
}

async fn a_change_touches_only_what_it_names(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    let new = json!({"name": "Old", "description": "Nice", "latitude": 1, "longitude": 2, "tags": ["a", "b"]});
    let mut expected = ann.post("/places", new).await.expect(201);
    let path = format!("/places/{}", id(&expected));
    for (change, shown) in [
        (json!({"name": "Új"}), json!({"name": "Új"})),
        (json!({"description": ""}), json!({"description": ""})),
        (
            json!({"latitude": -90, "longitude": 180}),
            json!({"latitude": -90.0, "longitude": 180.0}),
        ),
        (json!({"tags": ["c"]}), json!({"tags": ["c"]})),
        (json!({"tags": []}), json!({"tags": []})),
    ] {
        for (field, value) in shown.as_object().unwrap() {
            expected[field] = value.clone();
        }
        assert_eq!(ann.patch(&path, change).await.expect(200), expected);
        assert_eq!(ann.get(&path).await.expect(200), expected);
    }
    // What is found by is changed as well.
    assert_eq!(names(&ann, "q=%C3%9AJ&near=-90,0&within=1").await, ["Új"]);
    assert_eq!(names(&ann, "q=old").await, [""; 0]);
    ann.patch(&path, json!({}))
        .await
        .expect_error(400, "validation");
}

async fn half_a_position_is_refused(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    let path = format!("/places/{}", place(&ann).await);
    for (change, field) in [
        (json!({"latitude": 1}), "longitude: "),
        (json!({"longitude": 1}), "latitude: "),
        (json!({"latitude": 90.1, "longitude": 0}), "latitude: "),
        (json!({"latitude": 0, "longitude": -180.1}), "longitude: "),
    ] {
        let message = ann
            .patch(&path, change)
            .await
            .expect_error(400, "validation");
        assert!(message.starts_with(field), "{message}");
    }
}

async fn parallel_changes_of_tags_leave_one_set_of_them(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    let path = format!("/places/{}", place(&ann).await);
    let changes = (0..8).map(|number| {
        let client = Client::new(format!("http://{}", app.address)).with_token(ann.token());
        let path = path.clone();
        let tags = json!({"tags": ["same", format!("own-{number}")]});
        async move { client.patch(&path, tags).await.expect(200) }
    });
    futures_util::future::join_all(changes).await;
    let tags = ann.get(&path).await.expect(200)["tags"].clone();
    assert_eq!(tags.as_array().unwrap().len(), 2, "{tags}");
}

async fn ids_are_never_given_twice(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    let first = place(&ann).await;
    ann.delete(&format!("/places/{first}")).await.expect(204);
    assert!(place(&ann).await > first);
}
