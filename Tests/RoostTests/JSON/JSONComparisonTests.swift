import FoundationEssentials
import Testing

@testable import Roost

/// The same output from both encoders, where both define it: FoundationEssentials' with sorted keys, since its
/// order is random otherwise, and ours.
@Suite(.timeLimit(.minutes(5))) struct `JSON beside FoundationEssentials` {
    private static let seeds = 0..<UInt64(400)

    @Test(arguments: [JSONCoder.Layout.sorted, [.sorted, .pretty]])
    func `random values are written alike`(layout: JSONCoder.Layout) throws {
        for seed in Self.seeds {
            var generator = SplitMix64(seed: seed)
            let value = RandomJSONValue.random(depth: 4, using: &generator)
            #expect(try JSONCoder(layout: layout).string(value) == theirs(value, layout), "seed \(seed)")
        }
    }

    @Test func `containers that are open at once are written alike`() throws {
        for seed in Self.seeds {
            let value = InterleavedJSON(seed: seed)
            #expect(try JSONCoder(layout: .sorted).string(value) == theirs(value, .sorted), "seed \(seed)")
        }
    }

    @Test func `containers that are open at once make valid text inside a document`() throws {
        for seed in Self.seeds {
            let values = [InterleavedJSON(seed: seed), InterleavedJSON(seed: seed + 1)]
            let bytes = try JSONCoder().encode(["before": values, "after": values])
            try JSONCoder().check(bytes)
        }
    }

    @Test(arguments: [JSONCoder.Dates.iso8601, .secondsSince1970, .millisecondsSince1970])
    func `dates are written alike`(dates: JSONCoder.Dates) throws {
        var generator = SplitMix64(seed: 1)
        // FoundationEssentials counts days before 15 October 1582 in the Julian calendar.
        let fixed = [0, 0.9999, -0.5, -1, 1e11, -12_219_292_800, 64_092_211_200]
        let random = (0..<500).map { _ in Double.random(in: -12_219_292_800..<253_402_300_800, using: &generator) }
        let values = (fixed + random).map { Date(timeIntervalSince1970: $0) }
        #expect(try JSONCoder(dates: dates).string(values) == theirs(values, [], dates: dates))
    }

    @Test(
        arguments: [
            "", "_", "__", "a", "A", "AB", "ABc", "aB", "aBC", "aBCd", "a1B", "a1B2C", "userID", "userIDs", "_aB",
            "myURLProperty", "aB_", "a_B", "aB_C", "a_BC", "a__B", "a.B", "ABCdEF", "äÖ", "URL2Name", "A1", "1A", "a B",
            "user", "user_name", "urlOfAPI", "ÉtatDeGrâce", "x漢Y",
        ])
    func `names in snake case are written alike`(name: String) throws {
        let value = RandomJSONValue.object([(name: name, value: .dictionary(["userName": .int(1)]))])
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let expected = String(decoding: try encoder.encode(value), as: UTF8.self)
        #expect(try JSONCoder(keys: .snakeCase).string(value) == expected)
    }

    @Test func `floats taken in steps from the whole range are written alike`() throws {
        let floats = stride(from: UInt32(0), to: 0x7F80_0000, by: 1_000_003).map { Float(bitPattern: $0) }
        #expect(try JSONCoder().string(floats) == theirs(floats, []))
    }

    private func theirs(
        _ value: some Encodable, _ layout: JSONCoder.Layout, dates: JSONCoder.Dates = .iso8601
    ) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        if layout.contains(.sorted) { encoder.outputFormatting.insert(.sortedKeys) }
        if layout.contains(.pretty) { encoder.outputFormatting.insert(.prettyPrinted) }
        switch dates {
        case .iso8601, .iso8601WithMilliseconds: encoder.dateEncodingStrategy = .iso8601
        case .secondsSince1970: encoder.dateEncodingStrategy = .secondsSince1970
        case .millisecondsSince1970: encoder.dateEncodingStrategy = .millisecondsSince1970
        }
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
