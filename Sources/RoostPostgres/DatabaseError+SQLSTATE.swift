internal import CPostgres
import Roost
import RoostSQL

extension DatabaseError {
    /// The error for a server's SQLSTATE (PostgreSQL, appendix A). Of the server's detail, only the columns of a key
    /// are taken, because the rest shows values, and so does the message of some states.
    init(_ result: borrowing PostgresResult) {
        let handle = result.handle
        func field(_ code: Int) -> String? {
            PQresultErrorField(handle, Int32(code)).map { String(cString: $0) }
        }
        let message = field(field_message).map(Self.beginning) ?? "The server does not say why."
        guard let state = field(field_sqlstate) else {
            // Only libpq's own errors have no SQLSTATE, and they are about the connection.
            self = .connectionLost(Self.firstLine(PQresultErrorMessage(handle)))
            return
        }
        // The server's function that looks whether what it has prepared still fits; the message may be in any language.
        if state == "0A000", field(field_routine) == "RevalidateCachedQuery" {
            self = .tableHasChanged
            return
        }
        // "syntax error in tsquery" is about a value; a syntax error of the statement has a place in its text.
        let isOfValue = state.hasPrefix("22") || state == "42601" && field(field_position) == nil
        self.init(
            state: state,
            message: isOfValue ? Self.withoutQuotation(message) : message,
            constraint: field(field_constraint),
            column: [field(field_table), field(field_column)].compactMap { $0 }.joined(separator: "."),
            key: Self.key(table: field(field_table), detail: field(field_detail))
        )
    }

    /// - Parameters:
    ///   - constraint: The name of the constraint that was violated, if any.
    ///   - column: The table and column of the error, if any.
    ///   - key: The columns that must be unique, if they are known.
    init(state: String, message: String, constraint: String?, column: String, key: String? = nil) {
        switch state {
        case "23505": self = .uniqueViolation(key ?? constraint ?? message)
        case "23P01": self = .exclusionViolation(constraint ?? message)
        case "23503": self = .foreignKeyViolation(constraint ?? message)
        case "23502": self = .notNullViolation(column.isEmpty ? message : column)
        case "23514": self = .checkViolation(constraint ?? message)
        case "40001", "40P01": self = .serializationFailure(message)
        case "55P03": self = .busy(message)
        case "57014": self = .timeout(message)
        case "53100": self = .full(message)
        case "25006": self = .readOnly(message)
        case "XX001", "XX002": self = .corrupt(message)
        case "40003": self = .outcomeUnknown(message)
        case "57P01", "57P02", "57P05", "25P03", "25P04": self = .connectionLost(message)
        // 58030 is an error of the server's disk, which may pass.
        case "57P03", "57P04", "58030": self = .unavailable(message)
        // A value without a place, as one in quotes is. Poolers have this code for a connection that is lost.
        case "08P01" where message.hasPrefix("bind message supplies "): self = .statement(code: state, message: message)
        case _ where state.hasPrefix("08"): self = .connectionLost(message)
        case _ where state.hasPrefix("53"): self = .unavailable(message)
        default: self = .statement(code: state, message: message)
        }
    }

    /// The first 2,000 bytes of a message, up to a whole scalar value: a trigger may quote a value of any length.
    static func beginning(of message: String) -> String {
        message.utf8.count > 2_000 ? message.prefix(bytes: 2_000) + "…" : message
    }

    /// The part of a message in any language that is before its first quotation mark: `invalid input syntax for type
    /// integer: "…"` quotes a value.
    static func withoutQuotation(_ message: String) -> String {
        let marks: [Unicode.Scalar] = ["\"", "'", "\u{AB}", "\u{BB}", "\u{201E}", "\u{201C}", "\u{201D}", "\u{300C}"]
        var text = message.unicodeScalars.prefix { !marks.contains($0) }
        while let last = text.last, last == ":" || last.properties.isWhitespace { text.removeLast() }
        return text.isEmpty ? "a value is not allowed" : String(text)
    }

    /// The columns of a key, with their table, from `Key (room, "laidAt")=(1, 2) already exists.` in any language; nil
    /// when one of them is an expression, or when the user may not see them.
    static func key(table: String?, detail: String?) -> String? {
        guard let table, let detail, let start = detail.utf8.firstIndex(of: UInt8(ascii: "(")),
            case let rest = detail[start...].dropFirst(), let end = rest.firstRange(of: ")=(")
        else { return nil }
        var columns: [String] = []
        for column in rest[..<end.lowerBound].split(separator: ", ") {
            if column.count > 2, column.first == "\"", column.last == "\"" {
                columns.append(String(column.dropFirst().dropLast()))
            } else if column.utf8.contains(UInt8(ascii: "(")) {
                return nil
            } else {
                columns.append(String(column))
            }
        }
        return columns.map { "\(table).\($0)" }.joined(separator: ", ")
    }

    /// The first line of libpq's message, which may have several.
    static func firstLine(_ message: UnsafePointer<CChar>?) -> String {
        let text = message.map { String(cString: $0) } ?? ""
        return text.split(whereSeparator: \.isNewline).first.map(String.init) ?? "libpq does not say why."
    }
}

extension DatabaseError {
    /// The error when no session could be opened. libpq gives only a text, but its lines begin with the server's
    /// SQLSTATE if verbose messages were asked for (`FATAL:  28P01: password authentication failed …`).
    ///
    /// A failure that passes with time or is fixed elsewhere is ``unavailable(_:)``: a server that is missing,
    /// starting, or full.
    init(opening message: String, needsPassword: Bool) {
        // Errors of libpq itself.
        if message.utf8.starts(with: "invalid ".utf8) {
            self = .misconfigured("DATABASE_URL cannot be used: \(Self.withoutValue(message)). Correct it.")
            return
        }
        let (state, text) = Self.state(in: message)
        let isLasting = needsPassword || state.map(Self.isLasting) ?? false
        let advice = "Correct the user, password and database in DATABASE_URL, or on the server."
        self = isLasting ? .misconfigured("The database refuses this program: \(text). \(advice)") : .unavailable(text)
    }

    /// The message `invalid integer value "…" for connection option "port"` or `invalid sslmode value: "…"` without the
    /// value, which may be half of a password.
    private static func withoutValue(_ message: String) -> String {
        let parts = message.split(separator: "\"", omittingEmptySubsequences: false)
        let what = parts[0].prefix { $0 != ":" }
        let option = parts.suffix(3)
        guard parts.count >= 5, option.first == " for connection option " else { return String(what) }
        return String(what) + option.joined(separator: "\"").dropFirst()
    }

    /// Whether the server's refusal stays the same until somebody changes the settings of the server or of the program
    /// (PostgreSQL, appendix A): no such role, password, `pg_hba.conf` entry, database, permission, or parameter.
    private static func isLasting(_ state: String) -> Bool {
        state.hasPrefix("28") || ["3D000", "42501", "42704", "22023"].contains(state)
    }

    /// The SQLSTATE of a verbose message, and the message without it.
    private static func state(in message: String) -> (String?, String) {
        let bytes = Array(message.utf8)
        for start in bytes.indices where bytes[start...].starts(with: ":  ".utf8) {
            let state = bytes[(start + 3)...].prefix { $0.isDigit || $0.isUppercaseLetter }
            let rest = bytes[state.endIndex...]
            guard state.count == 5, rest.starts(with: ": ".utf8) else { continue }
            let text = bytes[..<state.startIndex] + rest.dropFirst(2)
            return (String(decoding: state, as: UTF8.self), String(decoding: text, as: UTF8.self))
        }
        return (nil, message)
    }
}
