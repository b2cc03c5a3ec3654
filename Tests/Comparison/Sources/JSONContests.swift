import FoundationEssentials
import Roost

/// Our encoder and FoundationEssentials', which is set not to escape slashes so that both write the same.
enum JSONContests {
    static func all() throws -> [Contest] {
        [
            try contest("json-two-users", 4, Samples.twoUsers),
            try contest("json-1000-users", 3, Samples.accounts),
            try contest("json-nested-100-KB", 3, Samples.tree),
            try contest("json-escapes", 3, Samples.escapes),
        ]
    }

    private static func contest(_ name: String, _ target: Double, _ value: some Codable & Sendable) throws -> Contest {
        try requireSame(name, value)
        let ours = JSONCoder()
        let theirs = JSONEncoder()
        theirs.outputFormatting = .withoutEscapingSlashes
        return Contest(
            name: name,
            target: target,
            ours: Contest.Side(name: "Roost") { count in
                var bytes = 0
                for _ in 0..<count { bytes = try ours.encode(value).count }
                return bytes
            },
            theirs: Contest.Side(name: "FoundationEssentials") { count in
                var bytes = 0
                for _ in 0..<count { bytes = try theirs.encode(value).count }
                return bytes
            }
        )
    }

    /// Refuses to compare results that differ.
    private static func requireSame(_ name: String, _ value: some Encodable) throws {
        let theirs = JSONEncoder()
        theirs.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        guard try Data(JSONCoder(layout: .sorted).encode(value)) == theirs.encode(value) else { throw Different(name) }
    }
}

/// The two sides of a contest gave different results.
struct Different: Error, CustomStringConvertible {
    let description: String

    init(_ name: String) { description = "\(name): the two sides gave different bytes" }
}
