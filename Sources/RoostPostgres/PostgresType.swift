/// The types whose values are read as more than text, by their numbers in PostgreSQL's catalog (`pg_type.dat`).
enum PostgresType {
    static let bool: UInt32 = 16
    static let bytea: UInt32 = 17
    static let numeric: UInt32 = 1700

    /// `bigint`, `smallint`, `integer`, `oid`.
    static func isWhole(_ type: UInt32) -> Bool { type == 20 || type == 21 || type == 23 || type == 26 }

    /// `real`, `double precision`.
    static func isReal(_ type: UInt32) -> Bool { type == 700 || type == 701 }

    /// The name of a type, for messages.
    static func name(_ type: UInt32) -> String { names[type] ?? "type \(type)" }

    private static let names: [UInt32: String] = [
        16: "boolean", 17: "bytea", 18: "\"char\"", 19: "name", 20: "bigint", 21: "smallint", 23: "integer", 25: "text",
        26: "oid", 114: "json", 700: "real", 701: "double precision", 1042: "character", 1043: "character varying",
        1082: "date", 1083: "time", 1114: "timestamp", 1184: "timestamp with time zone", 1186: "interval",
        1700: "numeric", 2950: "uuid", 3802: "jsonb",
    ]
}
