internal import CPostgres
import RoostSQL

/// The result of a statement, in libpq's memory for as long as this value exists.
struct PostgresResult: ~Copyable {
    let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { PQclear(handle) }

    var status: ExecStatusType { PQresultStatus(handle) }
    var rowCount: Int32 { PQntuples(handle) }

    /// The first value; nil when there is none.
    var first: String? { rowCount > 0 ? PQgetvalue(handle, 0, 0).map { String(cString: $0) } : nil }

    /// The number of rows that were changed; 0 for a statement that reads.
    var changes: Int {
        guard let status = PQcmdStatus(handle), "IUDM".utf8.contains(UInt8(bitPattern: status[0])),
            !String(cString: status).hasPrefix("MOVE"), let count = PQcmdTuples(handle)
        else { return 0 }
        return Int(String(cString: count)) ?? 0
    }

    /// The server's tag of the command: `COMMIT`, `INSERT 0 1`.
    var command: String { PQcmdStatus(handle).map { String(cString: $0) } ?? "" }

    /// Whether the server wants to send or receive rows with `COPY`, which is not supported here.
    var isCopy: Bool {
        let status = status
        return status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH
    }

    /// Whether a transaction has ended, or was rolled back to a savepoint, for which the server uses the same tag.
    var isEndOrReturn: Bool { ["COMMIT", "ROLLBACK", "PREPARE TRANSACTION"].contains(command) }
}

/// The columns of a statement's rows, looked up once for each prepared statement.
final class ResultColumns: Sendable {
    let names: [String]
    let types: [Oid]

    init(_ result: borrowing PostgresResult) {
        let handle = result.handle
        let columns = 0..<PQnfields(handle)
        names = columns.map { PQfname(handle, $0).map { String(cString: $0) } ?? "" }
        types = columns.map { PQftype(handle, $0) }
    }
}
