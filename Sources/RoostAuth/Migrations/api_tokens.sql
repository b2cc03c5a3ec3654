-- Tokens by which programs speak for accounts; only their hashes. Times are in seconds since 1970.
CREATE TABLE api_tokens (
    id ${identity},
    token_hash TEXT NOT NULL UNIQUE,
    account BIGINT NOT NULL,
    name TEXT NOT NULL,
    -- Names with blanks between them.
    scopes TEXT NOT NULL,
    made_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    revoked BIGINT NOT NULL DEFAULT 0,
    used_at BIGINT
);
CREATE INDEX api_tokens_account ON api_tokens (account);
