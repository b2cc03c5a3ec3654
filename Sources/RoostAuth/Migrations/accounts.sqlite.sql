-- AUTOINCREMENT: the id of an account is never given to another. Times are in seconds since 1970.
CREATE TABLE accounts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    email TEXT NOT NULL,
    -- The address as it is compared: in small letters.
    email_key TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL,
    -- Names with commas between them.
    roles TEXT NOT NULL,
    disabled BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL
);
