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
        case .vacant:
            output.append(UInt8(ascii: "{"))
            close(with: UInt8(ascii: "}"), isEmpty: true, depth: depth)
        case .function: throw failure((), "A function has no JSON.", at: index)
        }
    }

    // MARK: Containers

    private func writeList(_ index: UInt32, _ list: TapeCell, depth: Int) throws {
        try checkDepth(depth, at: index)
        let isPretty = isPretty
        output.append(UInt8(ascii: "["))
        var element = list.first
        while element != 0 {
            if isPretty { breakLine(depth &+ 1) }
            try writeText(of: element, depth: depth &+ 1)
            element = cells[Int(element)].next
            if element != 0 { output.append(UInt8(ascii: ",")) }
        }
        close(with: UInt8(ascii: "]"), isEmpty: list.first == 0, depth: depth)
    }

    private func writeObject(_ index: UInt32, _ object: TapeCell, depth: Int) throws {
        try checkDepth(depth, at: index)
        let converts = coder.keys == .snakeCase && !object.hasDataNames
        let writesNil = coder.nils == .null
        try refuseRepeatedNames(of: object, at: index, converts)
        let isPretty = isPretty
        if object.isUnordered || coder.layout.contains(.sorted) { sort(index, converts) }
        var before = UInt8(ascii: "{")
        var member = cells[Int(index)].first
        while member != 0 {
            let cell = cells[Int(member)]
            if cell.kind != .absent || writesNil {
                output.append(before)
                before = UInt8(ascii: ",")
                if isPretty { breakLine(depth &+ 1) }
                names.append(name(of: cell, converts), to: output)
                try writeText(of: member, depth: depth &+ 1)
            }
            member = cell.next
        }
        let isEmpty = before == UInt8(ascii: "{")
        if isEmpty { output.append(before) }
        close(with: UInt8(ascii: "}"), isEmpty: isEmpty, depth: depth)
    }

    /// The id of a member's name as it is written.
    @inline(__always)
    private func name(of member: TapeCell, _ converts: Bool) -> UInt32 {
        converts && !member.isDataName ? names.snakeCase(member.name) : member.name
    }

    /// Puts the members of an object in the order of their names' UTF-8. All of these have been converted by
    /// ``refuseRepeatedNames(of:at:_:)``, so that no name is added here, which would move the bytes.
    private func sort(_ object: UInt32, _ converts: Bool) {
        let utf8 = { (cell: UInt32) in self.tape.names.utf8(of: self.name(of: self.cells[Int(cell)], converts)) }
        let members = tape.members(of: object).sorted { utf8($0).lexicographicallyPrecedes(utf8($1)) }
        tape.reorder(object, to: members)
    }

    /// Ends an array or an object: for people, on a line of its own.
    @inline(__always)
    private func close(with bracket: UInt8, isEmpty: Bool, depth: Int) {
        if isPretty {
            if isEmpty { output.append(UInt8(ascii: "\n")) }
            breakLine(depth)
        }
        output.append(bracket)
    }

    @inline(never)
    private func breakLine(_ depth: Int) {
        output.append(UInt8(ascii: "\n"))
        for _ in 0..<depth { output.append("  ") }
    }

    /// Refuses an object with two members of one name, which parsers read differently.
    private func refuseRepeatedNames(of object: TapeCell, at index: UInt32, _ converts: Bool) throws {
        let number = serial &<< 32 | UInt64(index)
        var member = object.first
        while member != 0 {
            let cell = cells[Int(member)]
            let name = name(of: cell, converts)
            guard names.note(name, in: number) else {
                throw failure((), "the object has this name already: \(tape.names.name(name))", at: index)
            }
            member = cell.next
        }
    }

    @inline(__always)
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
