-- A new picture, or none any more, is a change that is told, too.
CREATE TRIGGER user_pictured AFTER UPDATE OF picture ON users
    FOR EACH ROW WHEN (NEW.picture IS DISTINCT FROM OLD.picture) EXECUTE FUNCTION publish_user_change('pictured');
