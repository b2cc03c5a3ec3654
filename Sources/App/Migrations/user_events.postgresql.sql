-- Every change of the list becomes an event, in the transaction of the change, and all instances are told of it when
-- that commits; see SQLTopic.
CREATE TABLE topics (name TEXT PRIMARY KEY, last_id BIGINT NOT NULL);
CREATE TABLE topic_events (
    topic TEXT NOT NULL,
    id BIGINT NOT NULL,
    payload TEXT NOT NULL,
    PRIMARY KEY (topic, id)
);
-- From the clock, in microseconds: ids of a database that is gone are not taken for those of this one.
INSERT INTO topics (name, last_id) VALUES ('users', (extract(epoch FROM now()) * 1000000)::bigint);

CREATE FUNCTION publish_user_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    event TEXT := json_build_object(
        'kind', TG_ARGV[0],
        'user', json_build_object('id', coalesce(NEW.id, OLD.id), 'name', coalesce(NEW.name, OLD.name))
    )::text;
    event_id BIGINT;
BEGIN
    -- The row is locked until the transaction ends, so the ids are in the order of commits and have no gaps.
    UPDATE topics SET last_id = last_id + 1 WHERE name = 'users' RETURNING last_id INTO event_id;
    INSERT INTO topic_events (topic, id, payload) VALUES ('users', event_id, event);
    -- The last thousand are kept; a hundred are deleted at a time.
    IF event_id % 100 = 0 THEN
        DELETE FROM topic_events WHERE topic = 'users' AND id <= event_id - 1000;
    END IF;
    -- A notification can have 7,999 bytes; listeners read a larger event from the table.
    PERFORM pg_notify('users', CASE WHEN octet_length(event) <= 7900 THEN event_id || ' ' || event ELSE event_id::text END);
    RETURN NULL;
END $$;
CREATE TRIGGER user_added AFTER INSERT ON users
    FOR EACH ROW EXECUTE FUNCTION publish_user_change('added');
CREATE TRIGGER user_renamed AFTER UPDATE OF name ON users
    FOR EACH ROW WHEN (NEW.name <> OLD.name) EXECUTE FUNCTION publish_user_change('renamed');
CREATE TRIGGER user_removed AFTER DELETE ON users
    FOR EACH ROW EXECUTE FUNCTION publish_user_change('removed');
