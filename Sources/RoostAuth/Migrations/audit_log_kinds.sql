-- The last events of one kind are found without a look at those of others, of which an attack makes any number.
CREATE INDEX audit_log_kind ON audit_log (account, kind, at);
