//! Search by distance, against every place measured one by one.

use photoplaces::geo::Position;
use serde_json::Value;

use crate::support::{Engine, TestApp, column, on_each_engine, place_at};

on_each_engine!(
    finds_what_measuring_each_place_finds,
    across_the_antimeridian_and_at_the_poles_nothing_is_missed,
    without_a_bound_the_nearest_of_all_come_first,
    distance_and_the_other_filters_go_together,
    what_is_no_position_is_refused,
);

/// Rounding may decide where a place stands on the very edge.
const EDGE_KM: f64 = 1e-6;

struct Known {
    id: i64,
    position: Position,
}

fn at(latitude: f64, longitude: f64) -> Position {
    Position::new(latitude, longitude).unwrap()
}

/// Stores places directly: hundreds of requests would say nothing more.
async fn store(app: &TestApp, positions: Vec<Position>) -> Vec<Known> {
    let user = app.id_of("root").await;
    let mut tx = app.state.db().begin_write().await.unwrap();
    let mut known = Vec::new();
    for position in positions {
        let [x, y, z] = position.unit();
        let id = sqlx::query_scalar(
            "INSERT INTO places (name, folded_name, description, latitude, longitude, x, y, z,
                                 created_by, created_at, updated_at)
             VALUES ('P', 'p', '', $1, $2, $3, $4, $5, $6, 0, 0) RETURNING id",
        )
        .bind(position.latitude())
        .bind(position.longitude())
        .bind(x)
        .bind(y)
        .bind(z)
        .bind(user)
        .fetch_one(&mut *tx)
        .await
        .unwrap();
        known.push(Known { id, position });
    }
    tx.commit().await.unwrap();
    known
}

/// All pages of a search, as ids and distances.
async fn search(app: &TestApp, here: Position, within: f64) -> Vec<(i64, f64)> {
    let (latitude, longitude) = (here.latitude(), here.longitude());
    let mut found = Vec::new();
    let mut offset = Some(0);
    while let Some(start) = offset {
        let path =
            format!("/places?near={latitude},{longitude}&within={within}&limit=50&offset={start}");
        let listing = app.client.get(&path).await.expect(200);
        let ids = column(&listing, "id").into_iter();
        let distances = column(&listing, "distance_km").into_iter();
        let pairs = ids.zip(distances);
        found.extend(pairs.map(|(id, km)| (id.as_i64().unwrap(), km.as_f64().unwrap())));
        offset = listing["next_offset"].as_i64();
    }
    found
}

/// Compares a search with the oracle: every place, measured with the haversine formula.
async fn assert_finds(app: &TestApp, known: &[Known], here: Position, within: f64) {
    let found = search(app, here, within).await;
    let context = format!("{here:?} within {within}");
    assert!(
        found
            .windows(2)
            .all(|pair| pair[0].1 <= pair[1].1 + EDGE_KM),
        "{context}: not sorted: {found:?}"
    );
    for place in known {
        let distance = here.distance_km(place.position);
        let hits: Vec<f64> = found
            .iter()
            .filter(|(id, _)| *id == place.id)
            .map(|(_, km)| *km)
            .collect();
        if (distance - within).abs() > EDGE_KM {
            let expected = usize::from(distance < within);
            assert_eq!(
                hits.len(),
                expected,
                "{context}: {:?} at {distance}",
                place.position
            );
        }
        for km in hits {
            assert!(
                (km - distance).abs() < EDGE_KM,
                "{context}: {km} {distance}"
            );
        }
    }
}

/// Half of them anywhere, half around a few points where mistakes are made.
fn scattered(random: &mut fastrand::Rng, count: usize) -> Vec<Position> {
    let knots = [
        (0.0, 180.0),
        (0.0, -180.0),
        (90.0, 0.0),
        (-90.0, 77.0),
        (60.0, 179.9),
        (0.0, 0.0),
    ];
    let mut positions = Vec::new();
    for number in 0..count {
        let (latitude, longitude) = if number % 2 == 0 {
            // Even on the sphere, not on the map.
            let latitude: f64 = (random.f64() * 2.0 - 1.0).asin();
            (latitude.to_degrees(), random.f64() * 360.0 - 180.0)
        } else {
            let (latitude, longitude) = knots[random.usize(..knots.len())];
            let mut near = || (random.f64() - 0.5) * 4.0;
            let longitude = longitude + near();
            let wrapped = if longitude > 180.0 {
                longitude - 360.0
            } else if longitude < -180.0 {
                longitude + 360.0
            } else {
                longitude
            };
            ((latitude + near()).clamp(-90.0, 90.0), wrapped)
        };
        positions.push(at(latitude, longitude));
    }
    positions
}

async fn finds_what_measuring_each_place_finds(engine: Engine) {
    let app = TestApp::start(engine).await;
    let mut random = fastrand::Rng::with_seed(7);
    let known = store(&app, scattered(&mut random, 400)).await;
    for here in scattered(&mut random, 40) {
        let within = [0.5, 20.0, 150.0, 2000.0, 12_000.0][random.usize(..5)];
        assert_finds(&app, &known, here, within * (0.5 + random.f64())).await;
    }
    // From a place itself, it is the first.
    let first = search(&app, known[0].position, 0.001).await;
    assert_eq!(first, [(known[0].id, 0.0)]);
}

async fn across_the_antimeridian_and_at_the_poles_nothing_is_missed(engine: Engine) {
    let app = TestApp::start(engine).await;
    let positions = vec![
        at(0.0, 180.0),
        at(0.0, -180.0),
        at(0.0, 179.99),
        at(0.0, -179.99),
        at(90.0, 0.0),
        at(90.0, 123.0),
        at(89.99, -60.0),
        at(89.99, 120.0),
        at(-90.0, 0.0),
        at(-89.99, 180.0),
    ];
    let known = store(&app, positions.clone()).await;
    for here in positions {
        // A hundredth of a degree is 1.1 km: each point has its neighbours, and no other.
        for within in [0.0, 1.0, 1.2, 2.5] {
            assert_finds(&app, &known, here, within).await;
        }
    }
    let around: Vec<i64> = search(&app, at(0.0, 180.0), 1.2)
        .await
        .into_iter()
        .map(|(id, _)| id)
        .collect();
    assert_eq!(around.len(), 4, "both signs of 180, and both sides");
}

async fn without_a_bound_the_nearest_of_all_come_first(engine: Engine) {
    let app = TestApp::start(engine).await;
    let mut random = fastrand::Rng::with_seed(8);
    let mut known = store(&app, scattered(&mut random, 60)).await;
    let here = at(10.0, 20.0);
    known.sort_by(|a, b| {
        let distances = (here.distance_km(a.position), here.distance_km(b.position));
        distances.0.total_cmp(&distances.1)
    });
    let listing = app
        .client
        .get("/places?near=10,20&limit=100")
        .await
        .expect(200);
    let ids: Vec<Value> = known.iter().map(|place| place.id.into()).collect();
    assert_eq!(column(&listing, "id"), ids);
}

async fn distance_and_the_other_filters_go_together(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    for (name, latitude) in [
        ("North bridge", 0.2),
        ("Bridge", 0.1),
        ("Tower", 0.0),
        ("Far bridge", 5.0),
    ] {
        place_at(&ann, name, latitude, 0.0).await;
    }
    let listing = app
        .client
        .get("/places?near=0,0&within=100&q=BRIDGE")
        .await
        .expect(200);
    assert_eq!(column(&listing, "name"), ["Bridge", "North bridge"]);
    let listing = app
        .client
        .get("/places?near=0,0&q=bridge&limit=1&offset=1")
        .await
        .expect(200);
    assert_eq!(column(&listing, "name"), ["North bridge"]);
    assert_eq!(listing["next_offset"], 2);
}

async fn what_is_no_position_is_refused(engine: Engine) {
    let app = TestApp::start(engine).await;
    for (query, field) in [
        ("near=1", "near"),
        ("near=91,0", "near"),
        ("near=0,180.5", "near"),
        ("near=NaN,0", "near"),
        ("near=0,0,0", "near"),
        ("near=0,0&within=-1", "within"),
        ("near=0,0&within=20041", "within"),
        ("near=0,0&within=NaN", "within"),
        ("near=0,0&within=x", "within"),
        ("within=5", "within"),
    ] {
        let answer = app.client.get(&format!("/places?{query}")).await;
        let message = answer.expect_error(400, "validation");
        assert!(message.starts_with(field), "{query}: {message}");
    }
}
