-- Nothing changes here: PostgreSQL's trigger has inserted VALUES from the beginning.
SELECT 1;
