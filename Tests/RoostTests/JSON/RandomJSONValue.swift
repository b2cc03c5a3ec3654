import FoundationEssentials

/// A value of a random shape, which both encoders encode.
indirect enum RandomJSONValue: Encodable {
    case null
    case bool(Bool)
    case int(Int)
    case small(Int8, UInt16, Int64, UInt64)
    case wide(Int128, UInt128)
    case double(Double)
    case float(Float)
    case string(String)
    case date(Date)
    case data(Data)
    case url(URL)
    case decimal(Decimal)
    case strings([String])
    case numbers([Int])
    case optional([Double?])
    case dictionary([String: RandomJSONValue])
    case numbered([Int: RandomJSONValue])
    case array([RandomJSONValue])
    case object([(name: String, value: RandomJSONValue)])

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let members): try encode(members, to: encoder)
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .small(let first, let second, let third, let fourth):
            var container = encoder.unkeyedContainer()
            try container.encode(first)
            try container.encode(second)
            try container.encode(third)
            try container.encode(fourth)
        case .wide(let signed, let unsigned):
            var container = encoder.unkeyedContainer()
            try container.encode(signed)
            try container.encode(unsigned)
        default: try encodeLeaf(to: encoder)
        }
    }

    private func encode(_ members: [(name: String, value: RandomJSONValue)], to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyJSONKey.self)
        for (name, value) in members {
            let key = AnyJSONKey(stringValue: name)
            switch value {
            case .null: try container.encodeNil(forKey: key)
            case .bool(let value): try container.encode(value, forKey: key)
            case .int(let value): try container.encode(value, forKey: key)
            case .double(let value): try container.encode(value, forKey: key)
            case .float(let value): try container.encode(value, forKey: key)
            case .string(let value): try container.encode(value, forKey: key)
            default: try container.encode(value, forKey: key)
            }
        }
    }

    private func encodeLeaf(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .float(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .date(let value): try container.encode(value)
        case .data(let value): try container.encode(value)
        case .url(let value): try container.encode(value)
        case .decimal(let value): try container.encode(value)
        case .strings(let value): try container.encode(value)
        case .numbers(let value): try container.encode(value)
        case .optional(let value): try container.encode(value)
        case .dictionary(let value): try container.encode(value)
        case .numbered(let value): try container.encode(value)
        case .null, .small, .wide, .array, .object: try container.encodeNil()
        }
    }
}

// MARK: - Random values

extension RandomJSONValue {
    static func random(depth: Int, using generator: inout SplitMix64) -> RandomJSONValue {
        depth > 0 && generator.oneIn(2) ? tree(depth: depth, &generator) : leaf(&generator)
    }

    private static func tree(depth: Int, _ generator: inout SplitMix64) -> RandomJSONValue {
        let names = (0..<Int.random(in: 0...5, using: &generator)).map { "\(text(&generator))\($0)" }
        let children = names.map { ($0, random(depth: depth - 1, using: &generator)) }
        switch Int.random(in: 0...3, using: &generator) {
        case 0: return .array(children.map(\.1))
        case 1: return .dictionary(Dictionary(children) { first, _ in first })
        case 2: return .numbered(Dictionary(children.enumerated().map { ($0.offset * 7, $0.element.1) }) { $1 })
        default: return .object(children.map { (name: $0.0, value: $0.1) })
        }
    }

    private static func leaf(_ generator: inout SplitMix64) -> RandomJSONValue {
        let bits = generator.next()
        switch Int.random(in: 0...15, using: &generator) {
        case 0: return .null
        case 1: return .bool(bits.isMultiple(of: 2))
        case 2: return .int(Int(truncatingIfNeeded: bits) >> Int.random(in: 0...63, using: &generator))
        case 3: return .small(Int8(truncatingIfNeeded: bits), UInt16(truncatingIfNeeded: bits), Int64.min, bits)
        case 4: return .wide(Int128(bits) * -0x7FFF_FFFF_FFFF_FFFF, UInt128(bits) << 64)
        case 5: return .double(number(&generator))
        case 6: return .float(Float(bitPattern: UInt32(truncatingIfNeeded: bits & 0xBF7F_FFFF)))
        case 7: return .date(Date(timeIntervalSince1970: .random(in: -1.2e10..<2.5e11, using: &generator)))
        case 8: return .data(Data((0..<(bits % 9)).map { UInt8(truncatingIfNeeded: $0 &* bits) }))
        case 9: return URL(string: "https://example.org/a/\(bits)?b=1&c=%20#d").map { .url($0) } ?? .null
        case 10: return .decimal(Decimal(Int(truncatingIfNeeded: bits) >> 20) / 1000)
        case 11: return .strings([text(&generator), text(&generator)])
        case 12: return .numbers([0, Int(truncatingIfNeeded: bits), -7])
        case 13: return .optional([nil, number(&generator)])
        default: return .string(text(&generator))
        }
    }

    private static func number(_ generator: inout SplitMix64) -> Double {
        let bits = generator.next()
        switch bits % 4 {
        case 0: return Double(Int(truncatingIfNeeded: bits) >> 8)
        case 1: return Double(Int(truncatingIfNeeded: bits) >> 40) / 100
        case 2: return edges[Int(bits >> 60) % edges.count]
        default: return Double(bitPattern: bits & ~(0x40 << 52))
        }
    }

    fileprivate static let edges: [Double] = [
        0, -0.0, 1e15, 1e16, 9_007_199_254_740_992, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e-5,
    ]

    private static func text(_ generator: inout SplitMix64) -> String {
        let pieces: [String] = [
            "a", "name", "\"", "\\", "/", "\n", "\r\n", "\t", "\u{0}", "\u{8}\u{c}\u{1f}", "\u{7f}", "é", "e\u{301}",
            "\u{2028}", "漢字", "😀", "👩‍👩‍👧", "<script>&", "\u{301}", "a plain text of more than eight bytes",
        ]
        let count = Int.random(in: 0...4, using: &generator)
        return (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &generator)] }.joined()
    }
}
