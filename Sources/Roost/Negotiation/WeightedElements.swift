import HTTPTypes

// Lists whose elements may have weights (RFC 9110 §5.6.1, §12.4.2), as the fields of content negotiation are:
//
//     #( element *( OWS ";" OWS parameter ) [ weight ] )
//     weight = OWS ";" OWS "q=" qvalue
//     qvalue = ( "0" [ "." 0*3DIGIT ] ) / ( "1" [ "." 0*3("0") ] )

/// Walks over such a list, byte by byte and without copies. An element whose weight is malformed is left out.
struct WeightedElements {
    /// One element.
    struct Element {
        /// The text before the first semicolon, without the blanks around it.
        let name: UnsafeBufferPointer<UInt8>
        /// The weight in thousandths: 1000 without one; 0 means that the client does not accept the element.
        fileprivate(set) var weight = 1000
        /// Whether it has no parameter that asks for something special: only a weight, or a `charset`.
        fileprivate(set) var isPlain = true
    }

    /// The most elements that are read of a field; browsers send eight. Any after those are ignored.
    static let maximum = 1000

    private var parts: DelimitedParts

    init(_ list: UnsafeBufferPointer<UInt8>) { parts = DelimitedParts(list) }

    /// The next element; nil after the last.
    /// - Parameter count: The number of elements of the field so far, of all its lines.
    mutating func next(_ count: inout Int) -> Element? {
        while count < Self.maximum, let part = parts.nextPresent(before: UInt8(ascii: ",")) {
            count += 1
            if let element = Self.element(part) { return element }
        }
        return nil
    }

    private static func element(_ text: UnsafeBufferPointer<UInt8>) -> Element? {
        var parts = DelimitedParts(text)
        guard let name = parts.next(before: UInt8(ascii: ";")) else { return nil }
        var element = Element(name: name)
        var hasWeight = false
        while let part = parts.nextPresent(before: UInt8(ascii: ";")) {
            guard let parameter = MediaType.Parameter(part) else { continue }
            if parameter.name.isEqualIgnoringCase(to: "q") {
                guard let weight = thousandths(parameter.value) else { return nil }
                if !hasWeight { element.weight = weight }
                hasWeight = true
            } else if !parameter.name.isEqualIgnoringCase(to: "charset") {
                element.isPlain = false
            }
        }
        return element
    }

    /// The value of a weight in thousandths; nil when it is none.
    private static func thousandths(_ value: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let first = value.first, first == 0x30 || first == 0x31, value.count <= 5 else { return nil }
        var thousandths = Int(first &- 0x30) * 1000
        guard value.count > 1 else { return thousandths }
        guard value[1] == UInt8(ascii: ".") else { return nil }
        var unit = 100
        for digit in value.dropFirst(2) {
            guard digit.isDigit else { return nil }
            thousandths += Int(digit &- 0x30) * unit
            unit /= 10
        }
        return thousandths <= 1000 ? thousandths : nil
    }
}

extension ReceivedFields {
    /// Calls a function with each element of a field, in order.
    func forEachWeighted(_ name: HTTPField.Name, _ body: (WeightedElements.Element) -> Void) {
        var count = 0
        forEach(name) { line in
            var elements = WeightedElements(bytes.slice(line))
            while let element = elements.next(&count) { body(element) }
        }
    }
}
