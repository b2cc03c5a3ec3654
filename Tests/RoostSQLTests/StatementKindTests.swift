import Testing

@testable import RoostSQL

@Suite("The kind of a statement", .timeLimit(.minutes(5)))
struct StatementKindTests {
    @Test(arguments: [SQLDialect.sqlite, .postgresql])
    func `the first words decide`(dialect: SQLDialect) {
        let kinds: [(StatementKind, [String])] = [
            (.query, ["SELECT 1", "with a AS (SELECT 1) SELECT * FROM a", "VALUES (1)"]),
            (.change, ["insert INTO t VALUES (1)", "UPDATE t SET a = 1", "DELETE FROM t"]),
            (.definition, ["CREATE TABLE commit (a)", "DROP TABLE t"]),
            (
                .transactionControl,
                [
                    "BEGIN", "begin;", "COMMIT", "CoMmIt WORK", "END", "ROLLBACK", "ROLLBACK WORK AND CHAIN", "ABORT",
                    "ROLLBACK TRANSACTION/**/AND CHAIN", "COMMIT AND CHAIN",
                    "START TRANSACTION", "PREPARE TRANSACTION 'a'", " \t\r\n;;\u{B}COMMIT", "-- over\nCOMMIT",
                    "/* over */COMMIT", "/**/ /***/--\n--\n\u{FEFF}COMMIT", "ROLLBACK/* TO */", "ROLLBACK -- TO\n;",
                    "ROLLBACK; TO a", "COMMIT\u{301}",
                ]
            ),
            (.savepoint, ["SAVEPOINT a", "RELEASE a", "ROLLBACK TO a", "ROLLBACK/**/WORK --\nto SAVEPOINT a"]),
            (
                .other,
                [
                    "", "--", "/*", "/* COMMIT", "'COMMIT'", "\"COMMIT\"", "(COMMIT)", "COMMITTED", "ENDS", "1COMMIT",
                    "PREPARE a AS SELECT 1", "COMMIT PREPARED 'a'", "ROLLBACK PREPARED 'a'", "- -COMMIT", "/COMMIT",
                ]
            ),
        ]
        for (kind, texts) in kinds {
            for text in texts { #expect(StatementKind(text, in: dialect) == kind, "\(text)") }
        }
    }

    @Test func `a comment ends where the engine says`() {
        #expect(StatementKind("/* /* */ COMMIT", in: .sqlite) == .transactionControl)
        #expect(StatementKind("/* /* */ COMMIT", in: .postgresql) == .other)
        #expect(StatementKind("/* /* */ */ COMMIT", in: .postgresql) == .transactionControl)
        #expect(StatementKind("-- \rCOMMIT", in: .sqlite) == .other)
        #expect(StatementKind("-- \rCOMMIT", in: .postgresql) == .transactionControl)
    }

    @Test func `a text that is not native UTF-8 is read as well`() {
        // Made from a substring, whose storage belongs to another string.
        let text = String("SELECT 1; COMMIT".dropFirst(10))
        #expect(StatementKind(text, in: .postgresql) == .transactionControl)
    }
}
