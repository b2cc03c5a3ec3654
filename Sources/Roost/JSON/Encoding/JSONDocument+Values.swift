import FoundationEssentials

/// Values that the coder writes itself, such as a `Date`, instead of calling their `encode(to:)`.
///
/// They are recognised by comparing types. A dynamic cast for each value would cost more than writing it.
extension JSONDocument {
    /// Whether the coder writes values of a type itself.
    static func isKnown<Value>(_ type: Value.Type) -> Bool {
        type == String.self || isNumber(type) || type == Date.self || type == Data.self || type == URL.self
            || type == Decimal.self || type == [String].self || type == [Int].self
    }

    private static func isNumber<Value>(_ type: Value.Type) -> Bool {
        type == Int.self || type == Double.self || type == Bool.self || type == Float.self
    }

    /// Writes a value of a type that `isKnown`.
    func appendKnown<Value>(_ value: Value) throws {
        if let text = same(value, as: String.self) {
            append(text)
        } else if let number = same(value, as: Int.self) {
            DecimalText.append(number, to: buffer)
        } else if let number = same(value, as: Double.self) {
            try append(number)
        } else if let truth = same(value, as: Bool.self) {
            append(truth)
        } else if let number = same(value, as: Float.self) {
            try append(number)
        } else if let date = same(value, as: Date.self) {
            try append(date)
        } else if let data = same(value, as: Data.self) {
            append(data.base64EncodedString())
        } else if let url = same(value, as: URL.self) {
            append(url.absoluteString)
        } else if let number = same(value, as: Decimal.self) {
            try append(number)
        } else if let texts = same(value, as: [String].self) {
            try append(texts) { append($0) }
        } else if let numbers = same(value, as: [Int].self) {
            try append(numbers) { DecimalText.append($0, to: buffer) }
        }
    }

    @inline(__always)
    private func append<Element>(_ elements: [Element], _ appendElement: (Element) -> Void) throws {
        let depth = tree?.depth ?? (place.kind == .vacant ? place.depth : place.depth + 1)
        guard depth < coder.maximumDepth else { throw failure(of: elements, tooDeep) }
        buffer.append(UInt8(ascii: "["))
        for index in elements.indices {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            appendElement(elements[index])
        }
        buffer.append(UInt8(ascii: "]"))
    }

    /// The value, if its type is exactly the one asked for.
    @inline(__always)
    private func same<Value, Known>(_ value: Value, as type: Known.Type) -> Known? {
        Value.self == type ? unsafeBitCast(value, to: type) : nil
    }

    /// Appends a string in quotation marks.
    @inline(__always)
    func append(_ text: String) {
        JSONEscaping.append(text, to: buffer, isSafeInHTML: coder.isSafeInHTML)
    }

    @inline(__always)
    func append(_ truth: Bool) {
        if truth { buffer.append("true") } else { buffer.append("false") }
    }

    /// Appends a floating-point number.
    func append<Number: BinaryFloatingPoint & TextOutputStreamable>(_ number: Number) throws {
        if number.isFinite { return DecimalText.append(number, to: buffer) }
        guard case .strings = coder.floats else {
            throw failure(of: number, "JSON has no number for \(number).")
        }
        append(number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity")
    }

    private func append(_ number: Decimal) throws {
        guard number.isFinite else { return try append(Double.nan) }
        buffer.append(number.description)
    }

    private func append(_ date: Date) throws {
        switch coder.dates {
        case .secondsSince1970: try append(date.timeIntervalSince1970)
        case .millisecondsSince1970: try append(date.timeIntervalSince1970 * 1000)
        case .iso8601, .iso8601WithMilliseconds:
            let hasMilliseconds = coder.dates == .iso8601WithMilliseconds
            let time = date.timeIntervalSince1970
            buffer.append(UInt8(ascii: "\""))
            guard DateTime.append(secondsSince1970: time, hasMilliseconds: hasMilliseconds, to: buffer) else {
                throw failure(of: date, "A date outside the years 0000 to 9999 has no ISO 8601 form.")
            }
            buffer.append(UInt8(ascii: "\""))
        }
    }

    /// An error about a value.
    /// - Parameter path: Where the value is; nil for the value that is being written at the end of the text.
    func failure(of value: Any, _ reason: String, at path: [any CodingKey]? = nil) -> EncodingError {
        .invalidValue(value, .init(codingPath: path ?? currentPath, debugDescription: reason))
    }
}
