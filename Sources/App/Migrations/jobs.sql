-- When each job is due, and which instance runs it until when, in milliseconds since 1970; see SQLJobLock.
CREATE TABLE jobs (
    name TEXT PRIMARY KEY,
    due_at BIGINT NOT NULL,
    holder TEXT,
    held_until BIGINT NOT NULL
);
