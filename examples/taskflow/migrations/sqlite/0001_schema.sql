-- AUTOINCREMENT: an id is never given twice, so a cached board can never be
-- mistaken for a younger one.
CREATE TABLE users (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    email         TEXT    NOT NULL UNIQUE,
    name          TEXT    NOT NULL,
    password_hash TEXT    NOT NULL,
    created_at    INTEGER NOT NULL
);

CREATE TABLE sessions (
    token_hash TEXT    NOT NULL PRIMARY KEY,
    user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expires_at INTEGER NOT NULL
);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);
CREATE INDEX sessions_by_user ON sessions (user_id);

-- Every write to a board raises `version` first, which also locks the board
-- against every other writer until the transaction ends.
CREATE TABLE boards (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    name       TEXT    NOT NULL,
    version    INTEGER NOT NULL DEFAULT 1,
    created_at INTEGER NOT NULL
);

CREATE TABLE board_members (
    board_id INTEGER NOT NULL REFERENCES boards (id) ON DELETE CASCADE,
    user_id  INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role     TEXT    NOT NULL CHECK (role IN ('owner', 'member')),
    PRIMARY KEY (board_id, user_id)
);
CREATE INDEX board_members_by_user ON board_members (user_id);

CREATE TABLE board_columns (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    board_id INTEGER NOT NULL REFERENCES boards (id) ON DELETE CASCADE,
    name     TEXT    NOT NULL,
    position INTEGER NOT NULL
);
CREATE INDEX board_columns_by_board ON board_columns (board_id, position);

CREATE TABLE cards (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    board_id    INTEGER NOT NULL REFERENCES boards (id) ON DELETE CASCADE,
    column_id   INTEGER NOT NULL REFERENCES board_columns (id) ON DELETE CASCADE,
    title       TEXT    NOT NULL,
    description TEXT    NOT NULL,
    position    INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL
);
CREATE INDEX cards_by_column ON cards (column_id, position);
CREATE INDEX cards_by_board ON cards (board_id);

CREATE TABLE labels (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    board_id INTEGER NOT NULL REFERENCES boards (id) ON DELETE CASCADE,
    name     TEXT    NOT NULL,
    colour   TEXT    NOT NULL,
    UNIQUE (board_id, name)
);

CREATE TABLE card_labels (
    card_id  INTEGER NOT NULL REFERENCES cards (id) ON DELETE CASCADE,
    label_id INTEGER NOT NULL REFERENCES labels (id) ON DELETE CASCADE,
    PRIMARY KEY (card_id, label_id)
);
CREATE INDEX card_labels_by_label ON card_labels (label_id);
