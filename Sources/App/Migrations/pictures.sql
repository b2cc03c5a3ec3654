-- The name under which the user's picture is kept, if there is one.
ALTER TABLE users ADD COLUMN picture TEXT;
