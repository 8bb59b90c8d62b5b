CREATE TABLE users (
    id            BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    email         TEXT    NOT NULL UNIQUE,
    name          TEXT    NOT NULL,
    password_hash TEXT    NOT NULL,
    role          TEXT    NOT NULL DEFAULT 'user' CHECK (role IN ('user', 'admin')),
    plan          TEXT    NOT NULL DEFAULT 'free' CHECK (plan IN ('free', 'pro')),
    blocked_at    BIGINT,
    created_at    BIGINT  NOT NULL
);

CREATE TABLE sessions (
    token_hash TEXT    NOT NULL PRIMARY KEY,
    user_id    BIGINT  NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expires_at BIGINT  NOT NULL
);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);
CREATE INDEX sessions_by_user ON sessions (user_id);

-- `x`, `y`, `z` are the position once more, as a point on the unit sphere. In these
-- coordinates neither a pole nor the antimeridian is a special place.
-- `folded_name` is the name in lower case, of any alphabet.
CREATE TABLE places (
    id          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name        TEXT    NOT NULL,
    folded_name TEXT    NOT NULL,
    description TEXT    NOT NULL,
    latitude    DOUBLE PRECISION NOT NULL CHECK (latitude BETWEEN -90 AND 90),
    longitude   DOUBLE PRECISION NOT NULL CHECK (longitude BETWEEN -180 AND 180),
    x           DOUBLE PRECISION NOT NULL,
    y           DOUBLE PRECISION NOT NULL,
    z           DOUBLE PRECISION NOT NULL,
    created_by  BIGINT  NOT NULL REFERENCES users (id),
    created_at  BIGINT  NOT NULL,
    updated_at  BIGINT  NOT NULL
);
CREATE INDEX places_by_x ON places (x);
CREATE INDEX places_by_y ON places (y);
CREATE INDEX places_by_z ON places (z);

CREATE TABLE place_tags (
    place_id BIGINT  NOT NULL REFERENCES places (id) ON DELETE CASCADE,
    tag      TEXT    NOT NULL,
    PRIMARY KEY (place_id, tag)
);
CREATE INDEX place_tags_by_tag ON place_tags (tag, place_id);

CREATE TABLE reviews (
    id         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    place_id   BIGINT  NOT NULL REFERENCES places (id) ON DELETE CASCADE,
    user_id    BIGINT  NOT NULL REFERENCES users (id),
    rating     BIGINT  NOT NULL CHECK (rating BETWEEN 1 AND 5),
    text       TEXT    NOT NULL,
    created_at BIGINT  NOT NULL,
    UNIQUE (place_id, user_id)
);

CREATE TABLE services (
    id          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    place_id    BIGINT  NOT NULL REFERENCES places (id) ON DELETE CASCADE,
    user_id     BIGINT  NOT NULL REFERENCES users (id),
    title       TEXT    NOT NULL,
    price_cents BIGINT  NOT NULL CHECK (price_cents >= 0),
    contact     TEXT    NOT NULL,
    created_at  BIGINT  NOT NULL
);
CREATE INDEX services_by_place ON services (place_id);
CREATE INDEX services_by_user ON services (user_id);

-- A slot is the hour that begins at `starts_at`, in seconds since the Unix epoch.
CREATE TABLE bookings (
    id         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    service_id BIGINT  NOT NULL REFERENCES services (id) ON DELETE CASCADE,
    user_id    BIGINT  NOT NULL REFERENCES users (id),
    starts_at  BIGINT  NOT NULL CHECK (starts_at % 3600 = 0),
    state      TEXT    NOT NULL DEFAULT 'booked' CHECK (state IN ('booked', 'cancelled')),
    created_at BIGINT  NOT NULL
);
-- What keeps a slot from being booked twice, whoever asks at the same time.
CREATE UNIQUE INDEX bookings_one_a_slot ON bookings (service_id, starts_at)
    WHERE state = 'booked';
CREATE INDEX bookings_by_service ON bookings (service_id);
CREATE INDEX bookings_by_user ON bookings (user_id);

-- A place as it is shown.
CREATE VIEW shown_places AS
SELECT p.id, p.name, p.description, p.latitude, p.longitude,
       p.created_by, p.created_at, p.updated_at,
       (SELECT string_agg(t.tag, ',' ORDER BY t.tag) FROM place_tags t
        WHERE t.place_id = p.id) AS tags,
       (SELECT COUNT(*) FROM reviews r WHERE r.place_id = p.id) AS reviews,
       (SELECT CAST(AVG(r.rating) AS DOUBLE PRECISION) FROM reviews r
        WHERE r.place_id = p.id) AS rating
FROM places p;

-- Reviews and services with the names of whose they are.
CREATE VIEW shown_reviews AS
SELECT r.id, r.place_id, r.user_id, u.name AS user_name, r.rating, r.text, r.created_at
FROM reviews r JOIN users u ON u.id = r.user_id;

CREATE VIEW shown_services AS
SELECT s.id, s.place_id, s.user_id, u.name AS user_name,
       s.title, s.price_cents, s.contact, s.created_at
FROM services s JOIN users u ON u.id = s.user_id;
