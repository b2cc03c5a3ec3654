CREATE TABLE notes (id ${identity}, text TEXT NOT NULL);
INSERT INTO notes (text) VALUES ('Welcome to Roost');
