internal import CPostgres
import RoostSQL

/// What a statement came to, in libpq's memory until this value goes.
struct PostgresResult: ~Copyable {
    let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { PQclear(handle) }

    var status: ExecStatusType { PQresultStatus(handle) }
    var rowCount: Int32 { PQntuples(handle) }

    /// How many rows were changed; none by reading.
    var changes: Int {
        guard let status = PQcmdStatus(handle), "IUDM".utf8.contains(UInt8(bitPattern: status[0])),
            !String(cString: status).hasPrefix("MOVE"), let count = PQcmdTuples(handle)
        else { return 0 }
        return Int(String(cString: count)) ?? 0
    }

    /// What the command calls itself: `COMMIT`, `INSERT 0 1`.
    var command: String { PQcmdStatus(handle).map { String(cString: $0) } ?? "" }

    /// Whether the server wants to send or to get rows as a text, which is not to be had here.
    var isCopy: Bool { [PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH].contains(status) }

    /// Whether a transaction is over, or was taken back to a savepoint, which the server calls the same.
    var isEndOrReturn: Bool {
        switch command {
        case "COMMIT", "ROLLBACK", "PREPARE TRANSACTION": true
        default: false
        }
    }
}
