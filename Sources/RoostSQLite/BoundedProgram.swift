internal import CSQLite

/// Proves, from a statement's program for SQLite's virtual machine, that each of its steps takes bounded time and waits
/// for nothing but a page of the file. A limit on the number of steps then limits the time.
///
/// `EXPLAIN` lists the program (https://sqlite.org/opcode.html). What is not known here, is not proven: another version
/// of SQLite may have other instructions.
enum BoundedProgram {
    /// The instructions that seek, step, read, compare and compute. A table of its own (`OpenEphemeral`), as for `IN`
    /// and `DISTINCT`, is in memory and grows by a row a step. Those that do more than a step's work are missing:
    ///
    /// - `Count` reads a whole tree, `SorterSort` and `Sort` end a sort, `OpenAutoindex` begins an index;
    /// - `VFilter` and the others of virtual tables run a module's own code, such as a full-text search;
    /// - `Blob` and `Filter`, which make and fill a memory of any size.
    private static let known: Set<String> = [
        // The course of the program.
        "Init", "Transaction", "Goto", "Gosub", "Return", "BeginSubrtn", "Once", "Noop", "Explain", "Halt",
        "HaltIfNull", "InitCoroutine", "EndCoroutine", "Yield", "Jump", "If", "IfNot", "IfPos", "IfNotZero",
        "DecrJumpZero", "IfNullRow", "IfNoHope", "IsNull", "NotNull", "IsTrue", "IsType", "ZeroOrNull", "MustBeInt",
        "OffsetLimit",
        // The tables and their rows.
        "OpenRead", "ReopenIdx", "OpenEphemeral", "OpenDup", "OpenPseudo", "Close", "NullRow", "Rewind", "Last",
        "Next", "Prev", "SeekGE", "SeekGT", "SeekLE", "SeekLT", "SeekRowid", "SeekScan", "SeekHit", "NotExists",
        "NotFound", "Found", "NoConflict", "DeferredSeek", "FinishSeek", "IdxGE", "IdxGT", "IdxLE", "IdxLT",
        "IdxRowid", "Rowid", "Column", "MakeRecord", "IdxInsert", "ResultRow",
        // Values.
        "Integer", "Int64", "Real", "String8", "String", "Null", "SoftNull", "Variable", "Copy", "SCopy", "IntCopy",
        "Move", "Affinity", "RealAffinity", "Cast", "CollSeq", "Permutation", "Compare", "Eq", "Ne", "Lt", "Le",
        "Gt", "Ge", "ElseEq", "ElseNotEq", "Not", "And", "Or", "BitNot", "BitAnd", "BitOr", "ShiftLeft",
        "ShiftRight", "Add", "AddImm", "Subtract", "Multiply", "Divide", "Remainder", "Concat", "AggFinal",
    ]

    /// The functions that take no longer than a comparison: none that reads a text letter by letter.
    private static let knownFunctions: Set<String> = [
        "abs", "avg", "coalesce", "count", "ifnull", "iif", "max", "min", "nullif", "round", "sign", "sum", "total",
        "typeof",
    ]

    /// Whether a statement is proven.
    static func isProven(_ text: String, on connection: OpaquePointer) -> Bool {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare(connection, "EXPLAIN " + text, -1, &statement, nil) == SQLITE_OK else { return false }
        var step = sqlite3_step(statement)
        while step == SQLITE_ROW {
            guard isKnown(word(1, statement), function: word(5, statement)) else { return false }
            step = sqlite3_step(statement)
        }
        return step == SQLITE_DONE
    }

    private static func isKnown(_ instruction: String, function: String) -> Bool {
        switch instruction {
        // "max(1)", with the number of arguments.
        case "Function", "PureFunc", "Function0", "AggStep", "AggStep1":
            knownFunctions.contains(String(function.prefix { $0 != "(" }))
        default: known.contains(instruction)
        }
    }

    private static func word(_ column: Int32, _ statement: OpaquePointer?) -> String {
        sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
    }
}
