-- A new picture, or none any more, is a change that is told, too.
CREATE TRIGGER user_pictured AFTER UPDATE OF picture ON users WHEN NEW.picture IS NOT OLD.picture BEGIN
    UPDATE topics SET last_id = last_id + 1 WHERE name = 'users';
    INSERT INTO topic_events (topic, id, payload) VALUES (
        'users', (SELECT last_id FROM topics WHERE name = 'users'),
        '{"kind":"pictured","user":{"id":' || NEW.id || ',"name":"'
            || replace(replace(NEW.name, '\', '\\'), '"', '\"') || '"}}');
END;
