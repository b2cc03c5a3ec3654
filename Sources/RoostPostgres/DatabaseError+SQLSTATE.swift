internal import CPostgres
import RoostSQL

extension DatabaseError {
    /// The error for a server's SQLSTATE (PostgreSQL, appendix A). The server's detail is left out, because it shows
    /// values.
    init(_ result: borrowing PostgresResult) {
        let handle = result.handle
        func field(_ code: Int) -> String? {
            PQresultErrorField(handle, Int32(code)).map { String(cString: $0) }
        }
        let message = field(field_message) ?? "The server does not say why."
        guard let state = field(field_sqlstate) else {
            // Only libpq's own errors have no SQLSTATE, and they are about the connection.
            self = .connectionLost(Self.firstLine(PQresultErrorMessage(handle)))
            return
        }
        self.init(
            state: state,
            message: message,
            constraint: field(field_constraint),
            column: [field(field_table), field(field_column)].compactMap { $0 }.joined(separator: ".")
        )
    }

    /// - Parameters:
    ///   - constraint: The name of the constraint that was violated, if any.
    ///   - column: The table and column of the error, if any.
    init(state: String, message: String, constraint: String?, column: String) {
        switch state {
        case "23505": self = .uniqueViolation(constraint ?? message)
        case "23503": self = .foreignKeyViolation(constraint ?? message)
        case "23502": self = .notNullViolation(column.isEmpty ? message : column)
        case "23514": self = .checkViolation(constraint ?? message)
        case "40001", "40P01": self = .serializationFailure(message)
        case "55P03": self = .busy(message)
        case "57014": self = .timeout(message)
        case "53100": self = .full(message)
        case "25006": self = .readOnly(message)
        case "XX001", "XX002", "58030": self = .corrupt(message)
        case "57P01", "57P02", "57P05", "25P03": self = .connectionLost(message)
        case "57P03", "57P04": self = .unavailable(message)
        case _ where state.hasPrefix("08"): self = .connectionLost(message)
        case _ where state.hasPrefix("53"): self = .unavailable(message)
        default: self = .statement(code: state, message: message)
        }
    }

    /// The first line of libpq's message, which may have several.
    static func firstLine(_ message: UnsafePointer<CChar>?) -> String {
        let text = message.map { String(cString: $0) } ?? ""
        return text.split(whereSeparator: \.isNewline).first.map(String.init) ?? "libpq does not say why."
    }
}
