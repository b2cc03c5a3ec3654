-- The same events as before, inserted as VALUES: the rows of an INSERT … SELECT into a table that has triggers would go
-- through a temporary table first, which costs more than the rest of the trigger.
DROP TRIGGER user_added;
DROP TRIGGER user_renamed;
DROP TRIGGER user_removed;
CREATE TRIGGER user_added AFTER INSERT ON users BEGIN
    UPDATE topics SET last_id = last_id + 1 WHERE name = 'users';
    INSERT INTO topic_events (topic, id, payload) VALUES (
        'users', (SELECT last_id FROM topics WHERE name = 'users'),
        '{"kind":"added","user":{"id":' || NEW.id || ',"name":"'
            || replace(replace(NEW.name, '\', '\\'), '"', '\"') || '"}}');
END;
CREATE TRIGGER user_renamed AFTER UPDATE OF name ON users WHEN NEW.name <> OLD.name BEGIN
    UPDATE topics SET last_id = last_id + 1 WHERE name = 'users';
    INSERT INTO topic_events (topic, id, payload) VALUES (
        'users', (SELECT last_id FROM topics WHERE name = 'users'),
        '{"kind":"renamed","user":{"id":' || NEW.id || ',"name":"'
            || replace(replace(NEW.name, '\', '\\'), '"', '\"') || '"}}');
END;
CREATE TRIGGER user_removed AFTER DELETE ON users BEGIN
    UPDATE topics SET last_id = last_id + 1 WHERE name = 'users';
    INSERT INTO topic_events (topic, id, payload) VALUES (
        'users', (SELECT last_id FROM topics WHERE name = 'users'),
        '{"kind":"removed","user":{"id":' || OLD.id || ',"name":"'
            || replace(replace(OLD.name, '\', '\\'), '"', '\"') || '"}}');
END;
