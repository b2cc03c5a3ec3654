/// Writing the values of a ``ValueTape`` as text.
extension JSONWorkspace {
    /// Writes the value in a cell.
    /// - Parameter depth: The number of arrays and objects around it.
    func writeText(of index: UInt32, depth: Int) throws {
        let cell = tape.cells[Int(index)]
        switch cell.kind {
        case .text: JSONEscaping.append(tape.bytes(of: cell), to: output, isSafeInHTML: coder.isSafeInHTML)
        case .int: DecimalText.append(Int64(bitPattern: cell.payload), to: output)
        case .object: try writeObject(index, depth: depth)
        case .list: try writeList(index, depth: depth)
        case .null, .absent: output.append("null")
        case .bool: output.append(cell.payload != 0 ? "true" : "false")
        case .uint: DecimalText.append(cell.payload, to: output)
        case .double: try write(Double(bitPattern: cell.payload), at: index)
        case .digits: output.append(tape.bytes(of: cell))
        case .date: try writeDate(Double(bitPattern: cell.payload), at: index)
        case .vacant: output.append("{}")
        case .function: throw failure((), "A function has no JSON.", at: index)
        }
    }

    // MARK: Containers

    private func writeList(_ list: UInt32, depth: Int) throws {
        try checkDepth(depth, at: list)
        output.append(UInt8(ascii: "["))
        var element = tape.cells[Int(list)].first
        while element != 0 {
            try writeText(of: element, depth: depth &+ 1)
            element = tape.cells[Int(element)].next
            if element != 0 { output.append(UInt8(ascii: ",")) }
        }
        output.append(UInt8(ascii: "]"))
    }

    private func writeObject(_ object: UInt32, depth: Int) throws {
        try checkDepth(depth, at: object)
        let converts = coder.keys == .snakeCase && !tape.cells[Int(object)].hasDataNames
        if converts { convertNames(of: object) }
        try refuseRepeatedNames(in: object)
        output.append(UInt8(ascii: "{"))
        var isFirst = true
        var member = tape.cells[Int(object)].first
        while member != 0 {
            let cell = tape.cells[Int(member)]
            if cell.kind != .absent || coder.nils == .null {
                if !isFirst { output.append(UInt8(ascii: ",")) }
                isFirst = false
                names.append(cell.name, of: tape, to: output)
                try writeText(of: member, depth: depth &+ 1)
            }
            member = cell.next
        }
        output.append(UInt8(ascii: "}"))
    }

    @inline(never)
    private func convertNames(of object: UInt32) {
        var member = tape.cells[Int(object)].first
        while member != 0 {
            tape.cells[Int(member)].name = names.snakeCase(tape.cells[Int(member)].name, tape)
            member = tape.cells[Int(member)].next
        }
    }

    /// Refuses an object with two members of one name, which parsers read differently.
    private func refuseRepeatedNames(in object: UInt32) throws {
        let mark = serial &<< 32 | UInt64(object)
        var member = tape.cells[Int(object)].first
        while member != 0 {
            let name = Int(tape.cells[Int(member)].name)
            if name >= objects.count { growObjects() }
            guard objects[name] != mark else {
                throw failure((), "the object has this name already: \(tape.names.name(UInt32(name)))", at: object)
            }
            objects[name] = mark
            member = tape.cells[Int(member)].next
        }
    }

    private func growObjects() { objects += Array(repeating: 0, count: tape.names.count - objects.count) }

    private func checkDepth(_ depth: Int, at cell: UInt32) throws {
        guard depth < coder.maximumDepth else {
            throw failure((), "The value is nested deeper than \(coder.maximumDepth) levels.", at: cell)
        }
    }

    // MARK: Numbers and dates

    private func write(_ number: Double, at cell: UInt32) throws {
        if number.isFinite { return DecimalText.append(number, to: output) }
        guard case .strings = coder.floats else { throw failure(number, "JSON has no number for \(number).", at: cell) }
        output.append(number.isNaN ? "\"NaN\"" : number < 0 ? "\"-Infinity\"" : "\"Infinity\"")
    }

    private func writeDate(_ time: Double, at cell: UInt32) throws {
        switch coder.dates {
        case .secondsSince1970: try write(time, at: cell)
        case .millisecondsSince1970: try write(time * 1000, at: cell)
        case .iso8601, .iso8601WithMilliseconds:
            output.append(UInt8(ascii: "\""))
            let hasMilliseconds = coder.dates == .iso8601WithMilliseconds
            guard DateTime.append(secondsSince1970: time, hasMilliseconds: hasMilliseconds, to: output) else {
                throw failure(time, "A date outside the years 0000 to 9999 has no ISO 8601 form.", at: cell)
            }
            output.append(UInt8(ascii: "\""))
        }
    }

    private func failure(_ value: Any, _ reason: String, at cell: UInt32) -> EncodingError {
        .invalidValue(value, .init(codingPath: tape.codingPath(to: cell), debugDescription: reason))
    }
}
