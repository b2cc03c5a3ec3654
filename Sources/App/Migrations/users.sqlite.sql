-- AUTOINCREMENT: the id of a user who has been removed is never given to another.
CREATE TABLE users (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    -- The name as it is sorted and searched: in small letters, by bytes.
    name_key TEXT NOT NULL,
    version INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX users_name_key ON users (name_key, id);
INSERT INTO users (name, name_key) VALUES ('Nelson', 'nelson'), ('Cathy', 'cathy');
