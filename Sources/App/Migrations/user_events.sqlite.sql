-- Every change of the list becomes an event, in the transaction of the change; see SQLTopic.
CREATE TABLE topics (name TEXT PRIMARY KEY, last_id BIGINT NOT NULL);
CREATE TABLE topic_events (
    topic TEXT NOT NULL,
    id BIGINT NOT NULL,
    payload TEXT NOT NULL,
    PRIMARY KEY (topic, id)
) WITHOUT ROWID;
-- From the clock, in microseconds: ids of a database that is gone are not taken for those of this one.
INSERT INTO topics (name, last_id) VALUES ('users', CAST(strftime('%s', 'now') AS INTEGER) * 1000000);

-- JSON without json_object(), which a schema may not use here (PRAGMA trusted_schema).
CREATE TRIGGER user_added AFTER INSERT ON users BEGIN
    UPDATE topics SET last_id = last_id + 1 WHERE name = 'users';
    INSERT INTO topic_events (topic, id, payload)
        SELECT name, last_id, '{"kind":"added","user":{"id":' || NEW.id || ',"name":"'
            || replace(replace(NEW.name, '\', '\\'), '"', '\"') || '"}}'
        FROM topics WHERE name = 'users';
END;
CREATE TRIGGER user_renamed AFTER UPDATE OF name ON users WHEN NEW.name <> OLD.name BEGIN
    UPDATE topics SET last_id = last_id + 1 WHERE name = 'users';
    INSERT INTO topic_events (topic, id, payload)
        SELECT name, last_id, '{"kind":"renamed","user":{"id":' || NEW.id || ',"name":"'
            || replace(replace(NEW.name, '\', '\\'), '"', '\"') || '"}}'
        FROM topics WHERE name = 'users';
END;
CREATE TRIGGER user_removed AFTER DELETE ON users BEGIN
    UPDATE topics SET last_id = last_id + 1 WHERE name = 'users';
    INSERT INTO topic_events (topic, id, payload)
        SELECT name, last_id, '{"kind":"removed","user":{"id":' || OLD.id || ',"name":"'
            || replace(replace(OLD.name, '\', '\\'), '"', '\"') || '"}}'
        FROM topics WHERE name = 'users';
END;
-- The last thousand are kept; a hundred are deleted at a time.
CREATE TRIGGER user_events_end AFTER INSERT ON topic_events WHEN NEW.topic = 'users' AND NEW.id % 100 = 0 BEGIN
    DELETE FROM topic_events WHERE topic = 'users' AND id <= NEW.id - 1000;
END;
