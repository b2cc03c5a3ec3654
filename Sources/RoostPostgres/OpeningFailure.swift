import RoostSQL

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
        func isState(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 || byte >= 0x41 && byte <= 0x5A }
        for start in bytes.indices where bytes[start...].starts(with: ":  ".utf8) {
            let state = bytes[(start + 3)...].prefix { isState($0) }
            let rest = bytes[state.endIndex...]
            guard state.count == 5, rest.starts(with: ": ".utf8) else { continue }
            let text = bytes[..<state.startIndex] + rest.dropFirst(2)
            return (String(decoding: state, as: UTF8.self), String(decoding: text, as: UTF8.self))
        }
        return (nil, message)
    }
}
