internal import CPostgres

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
