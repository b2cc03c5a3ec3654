-- What has happened to accounts. The time is in seconds since 1970.
CREATE TABLE audit_log (
    id INTEGER PRIMARY KEY,
    at BIGINT NOT NULL,
    kind TEXT NOT NULL,
    account BIGINT,
    address TEXT,
    device TEXT
);
CREATE INDEX audit_log_account ON audit_log (account, at);
CREATE INDEX audit_log_at ON audit_log (at);
