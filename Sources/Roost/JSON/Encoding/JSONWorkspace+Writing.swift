/// Writing the values of a ``ValueTape`` as text.
extension JSONWorkspace {
    /// Writes the value in a cell.
    /// - Parameter depth: The number of arrays and objects around it.
    func writeText(of index: UInt32, depth: Int) throws {
        let cell = cells[Int(index)]
        switch cell.kind {
        case .text: JSONEscaping.append(padded: bytes(of: cell), to: output, isSafeInHTML: coder.isSafeInHTML)
        case .int: output.append(decimal: Int64(bitPattern: cell.payload))
        case .object: try writeObject(index, cell, depth: depth)
        case .list: try writeList(index, cell, depth: depth)
        case .null, .absent: output.append("null")
        case .bool: output.append(cell.payload != 0 ? "true" : "false")
        case .uint: output.append(decimal: cell.payload)
        case .double: try write(Double(bitPattern: cell.payload), at: index)
        case .digits: output.append(bytes(of: cell))
        case .date: try writeDate(Double(bitPattern: cell.payload), at: index)
        case .vacant: output.append("{}")
        case .function: throw failure((), "A function has no JSON.", at: index)
        }
    }

    // MARK: Containers

    private func writeList(_ index: UInt32, _ list: TapeCell, depth: Int) throws {
        try checkDepth(depth, at: index)
        output.append(UInt8(ascii: "["))
        var element = list.first
        while element != 0 {
            try writeText(of: element, depth: depth &+ 1)
            element = cells[Int(element)].next
            if element != 0 { output.append(UInt8(ascii: ",")) }
        }
        output.append(UInt8(ascii: "]"))
    }

    private func writeObject(_ index: UInt32, _ object: TapeCell, depth: Int) throws {
        try checkDepth(depth, at: index)
        let converts = coder.keys == .snakeCase && !object.hasDataNames
        let writesNil = coder.nils == .null
        try refuseRepeatedNames(of: object, at: index, converts)
        var before = UInt8(ascii: "{")
        var member = object.first
        while member != 0 {
            let cell = cells[Int(member)]
            if cell.kind != .absent || writesNil {
                output.append(before)
                before = UInt8(ascii: ",")
                names.append(converts ? names.snakeCase(cell.name) : cell.name, to: output)
                try writeText(of: member, depth: depth &+ 1)
            }
            member = cell.next
        }
        if before == UInt8(ascii: "{") { output.append(before) }
        output.append(UInt8(ascii: "}"))
    }

    /// Refuses an object with two members of one name, which parsers read differently.
    private func refuseRepeatedNames(of object: TapeCell, at index: UInt32, _ converts: Bool) throws {
        let number = serial &<< 32 | UInt64(index)
        var member = object.first
        while member != 0 {
            let cell = cells[Int(member)]
            let name = converts ? names.snakeCase(cell.name) : cell.name
            guard names.note(name, in: number) else {
                throw failure((), "the object has this name already: \(tape.names.name(name))", at: index)
            }
            member = cell.next
        }
    }

    private func checkDepth(_ depth: Int, at cell: UInt32) throws {
        let limit = coder.writtenDepth
        guard depth < limit else { throw failure((), "The value is nested deeper than \(limit) levels.", at: cell) }
    }

    // MARK: Numbers and dates

    private func write(_ number: Double, at cell: UInt32) throws {
        if number.isFinite { return output.append(shortest: number) }
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
