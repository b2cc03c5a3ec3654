-- Whose sessions they are, so that an account can list and end its own.
ALTER TABLE sessions ADD COLUMN owner TEXT;
CREATE INDEX sessions_owner ON sessions (owner);
