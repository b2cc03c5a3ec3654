import Testing

@testable import RoostPostgres

/// Which statements may share a connection.
@Suite(.timeLimit(.minutes(5)))
struct PlainReadTests {
    @Test(arguments: [
        "SELECT id, name, version, picture FROM users WHERE id = $1", "select 1", " \n SELECT * FROM \"Users\" u",
        "SELECT count(*), max(n) FROM t WHERE n IN ($1, $2) AND (a = $3 OR b < -1)",
        "SELECT name FROM users WHERE name = 'for; into -- (' ORDER BY name DESC LIMIT 51",
        "SELECT a.n::int, coalesce(b.n, 0) FROM a LEFT JOIN b ON (a.n = b.n) WHERE EXISTS (SELECT 1 FROM c)",
        "SELECT n - 1, n / 2, n * 3 FROM t UNION ALL (SELECT 1, 2, 3)", "SELECT CURRENT_TIMESTAMP",
    ])
    func `a read whose words are all known is plain`(text: String) { #expect(PlainRead.isPlain(text)) }

    @Test(arguments: [
        "", "INSERT INTO t VALUES (1)", "WITH a AS (DELETE FROM t RETURNING n) SELECT n FROM a", "(SELECT 1)",
        "SELECT pg_sleep(1)", "SELECT pg_catalog.count(n) FROM t", "SELECT \"lower\"('X')", "SELECT x.y (1)",
        "SELECT n FROM t FOR UPDATE", "SELECT n FROM t for share of t", "SELECT n INTO u FROM t",
        "SELECT 1; DELETE FROM t", "SELECT 1 -- one", "SELECT /* one */ 1", "SELECT $$text$$", "SELECT $a$text$a$",
        "SELECT E'\\'' , pg_sleep(1), ''", "SELECT 'open", "SELECT \"open", "SELECT n FROM generate_series(1, 3) n",
        "SELECT 1 AS größe(1)", "SELECT 1\0", "VALUES (1)", "EXPLAIN ANALYZE SELECT 1", "SELECTED",
        "SELECT nextval\u{0C}('s')", "SELECT nextval\u{0B}('s')", "SELECT audit. count(n) FROM t",
        "SELECT audit . max(n) FROM t", "SELECT U&\"nextv!0061l\" UESCAPE '!' ('s')", "SELECT a.\n(1)",
    ])
    func `what may wait, lock or change something is not`(text: String) { #expect(!PlainRead.isPlain(text)) }
}
