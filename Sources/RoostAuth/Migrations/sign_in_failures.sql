-- Recent failures of sign-ins, under hashes of what they have in common. Times are in milliseconds since 1970.
CREATE TABLE sign_in_failures (
    key TEXT PRIMARY KEY,
    -- Numbers with blanks between them.
    times TEXT NOT NULL,
    used_at BIGINT NOT NULL
);
CREATE INDEX sign_in_failures_used_at ON sign_in_failures (used_at);
