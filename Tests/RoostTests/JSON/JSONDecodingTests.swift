import FoundationEssentials
import Testing

@testable import Roost

@Suite(.timeLimit(.minutes(5))) struct `Values from JSON` {
    struct User: Codable, Equatable, Sendable {
        enum Role: String, Codable { case admin, member }
        struct Address: Codable, Equatable, Sendable {
            var city: String
            var postCode: Int?
        }
        var id: UInt8
        var name: String
        var role: Role?
        var born: Date?
        var tags: [String]?
        var isActive: Bool?
        var score: Double?
        var address: Address?
        var friends: [User]?
        var points: [String: Int]?
        var rooms: [Int: Bool]?
        var photo: Data?
        var home: URL?
    }

    @Test func `what was encoded is read back`() throws {
        let user = User(
            id: 1, name: "Nelson \"\n😀", role: .admin, born: Date(timeIntervalSince1970: 1_700_000_000), tags: ["a"],
            isActive: true, score: 0.1, address: .init(city: "Zürich", postCode: 8000), points: ["aB": 1],
            rooms: [7: false], photo: Data([1, 2]), home: URL(string: "http://a.example/"))
        let coders = [
            JSONCoder(), JSONCoder(keys: .snakeCase), JSONCoder(dates: .secondsSince1970), JSONCoder(layout: .pretty),
            JSONCoder(dates: .millisecondsSince1970), JSONCoder(isSafeInHTML: true), JSONCoder(nils: .null),
            JSONCoder(dates: .iso8601WithMilliseconds),
        ]
        for coder in coders {
            #expect(try coder.decode(User.self, from: coder.encode(user)) == user)
        }
    }

    @Test(arguments: [JSONCoder(), JSONCoder(dates: .iso8601WithMilliseconds)])
    func `a date is read with a fraction and an offset, or without`(coder: JSONCoder) throws {
        let texts = ["2024-02-29T12:34:56Z", "2024-02-29T12:34:56.25Z", "2024-02-29T13:34:56.250+01:00"]
        let dates = try coder.decode([Date].self, from: JSONCoder().encode(texts))
        #expect(dates.map(\.timeIntervalSince1970) == [1_709_210_096, 1_709_210_096.25, 1_709_210_096.25])
    }

    @Test(arguments: [
        "2027-02-30T09:00:00Z", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
        "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T24:61:00Z", "2026-01-01T23:59:60Z",
        "2026-12-1T9:0:0Z", "2026-1-01T09:00:00Z", "2026-01-01T09:00:00", "2026-01-01T09:00Z", "2026-01-01",
        "2026-01-01 09:00:00Z", "2026-01-01T09:00:00.Z", "2026-01-01T09:00:00+24:00", "2026-01-01T09:00:00+01:60",
        "9999-12-31T23:59:59-00:01", "0000-01-01T00:00:00+00:01",
        "2026-01-01T09:00:00+0100", "2026-01-01T09:00:00Z ", " 2026-01-01T09:00:00Z", "20260101T090000Z", "",
    ])
    func `a date that does not exist, or is not written as RFC 3339 says, is refused`(text: String) {
        #expect(throws: JSONDecodingError.self) {
            try JSONCoder().decode([Date].self, from: Array("[\"\(text)\"]".utf8))
        }
    }

    @Test(arguments: ["9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.9996Z"])
    func `a date that is read can be written, also the last one`(text: String) throws {
        for (coder, written) in [
            (JSONCoder(), "9999-12-31T23:59:59Z"),
            (JSONCoder(dates: .iso8601WithMilliseconds), "9999-12-31T23:59:59.999Z"),
        ] {
            let date = try coder.decode([Date].self, from: Array("[\"\(text)\"]".utf8))
            #expect(String(decoding: try coder.encode(date), as: UTF8.self) == "[\"\(written)\"]")
        }
    }

    @Test(arguments: [
        ("2026-01-01t09:00:00z", 1_767_258_000.0), ("2026-01-01T09:00:00-00:00", 1_767_258_000),
        ("2026-01-01T09:00:00+23:59", 1_767_171_660), ("0001-01-01T00:00:00Z", -62_135_596_800),
        ("1582-10-14T00:00:00Z", -12_219_379_200), ("9999-12-31T23:59:59.999999999Z", 253_402_300_800),
    ])
    func `any date of the Gregorian calendar is read`(text: String, seconds: Double) throws {
        let dates = try JSONCoder().decode([Date].self, from: Array("[\"\(text)\"]".utf8))
        #expect(dates.map(\.timeIntervalSince1970) == [seconds])
    }

    @Test func `what an application has written itself is read, whatever databases have`() throws {
        for (coder, date) in [
            (JSONCoder(), Date.distantPast),
            (JSONCoder(dates: .secondsSince1970), Date(timeIntervalSince1970: 1e300)),
            (JSONCoder(dates: .millisecondsSince1970), Date(timeIntervalSince1970: -62_200_000_000)),
        ] {
            #expect(try coder.decode([Date].self, from: coder.encode([date])) == [date])
        }
    }

    @Test func `every optional member may be null`() throws {
        struct Everything: Codable, Equatable {
            var a: Bool?, b: String?, c: Double?, d: Float?, e: Int?, f: Int8?, g: Int16?, h: Int32?, i: Int64?
            var j: Int128?, k: UInt?, l: UInt8?, m: UInt16?, n: UInt32?, o: UInt64?, p: UInt128?, q: [Int]?, r: Date?
        }
        let text = try JSONCoder(nils: .null).string(Everything())
        let members = text.split(separator: ",")
        #expect(members.count == 18 && members.allSatisfy { $0.contains(":null") })
        #expect(try JSONCoder().decode(Everything.self, from: Array(text.utf8)) == Everything())
        #expect(try JSONCoder().string(Everything()) == "{}")
        let one = Everything(a: true, e: 7, q: [1])
        #expect(try JSONCoder().string(one) == #"{"a":true,"e":7,"q":[1]}"#)
        let beginning = #"{"a":true,"b":null,"c":null,"d":null,"e":7,"f":null"#
        #expect(try JSONCoder(nils: .null).string(one).hasPrefix(beginning))
    }

    @Test func `numbers that JSON does not have can be read back as strings`() throws {
        let coder = JSONCoder(floats: .strings)
        let values = try coder.decode([Double].self, from: coder.encode([Double.infinity, -.infinity, .nan, 1]))
        #expect(values[0] == .infinity && values[1] == -.infinity && values[2].isNaN && values[3] == 1)
    }

    @Test func `the scan comes first`() {
        #expect(throws: JSONSyntaxError(offset: 7, reason: .repeatedName)) {
            try JSONCoder().decode([String: Int].self, from: Array("{\"a\":1,\"a\":2}".utf8))
        }
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let error: JSONDecodingError
        var coder = JSONCoder()

        init(_ text: String, _ pointer: String, _ reason: String, _ coder: JSONCoder = JSONCoder()) {
            testDescription = text
            error = JSONDecodingError(pointer: pointer, reason: reason)
            self.coder = coder
        }
    }

    private static let integers = "from -9223372036854775808 to 9223372036854775807"

    static let faults = [
        Fault("{}", "/id", "This member is required."),
        Fault("{\"id\":1}", "/name", "This member is required."),
        Fault("[]", "", "Expected an object, not an array."),
        Fault("5", "", "Expected an object, not a number."),
        Fault("{\"id\":\"x\",\"name\":\"\"}", "/id", "Expected a whole number, not a string."),
        Fault("{\"id\":null,\"name\":\"\"}", "/id", "Expected a whole number, not null."),
        Fault("{\"id\":300,\"name\":\"\"}", "/id", "Expected a whole number from 0 to 255."),
        Fault("{\"id\":1,\"name\":\"\",\"points\":{\"a\":1.5}}", "/points/a", "Expected a whole number \(integers)."),
        Fault(
            "{\"id\":1,\"name\":\"\",\"friends\":[{\"id\":1,\"name\":\"\"},{\"id\":-1,\"name\":\"\"}]}",
            "/friends/1/id", "Expected a whole number from 0 to 255."),
        Fault("{\"id\":1.5,\"name\":\"\"}", "/id", "Expected a whole number from 0 to 255."),
        Fault("{\"id\":1,\"name\":2}", "/name", "Expected a string, not a number."),
        Fault("{\"id\":1,\"name\":[]}", "/name", "Expected a string, not an array."),
        Fault("{\"id\":1,\"name\":\"\",\"isActive\":1}", "/isActive", "Expected true or false, not a number."),
        Fault(
            #"{"name":"]},\"","x":[{"id":[]}, "}"] , "\u0069d" : "" }"#, "/id",
            "Expected a whole number, not a string."),
        Fault("{\"id\":1,\"name\":\"\",\"score\":true}", "/score", "Expected a number, not true."),
        Fault("{\"id\":1,\"name\":\"\",\"score\":1e999}", "/score", "The number is out of range."),
        Fault("{\"id\":1,\"name\":\"\",\"tags\":{}}", "/tags", "Expected an array, not an object."),
        Fault("{\"id\":1,\"name\":\"\",\"tags\":[\"a\", 2]}", "/tags/1", "Expected a string, not a number."),
        Fault("{\"id\":1,\"name\":\"\",\"role\":\"boss\"}", "/role", "This is not one of the allowed values."),
        Fault("{\"id\":1,\"name\":\"\",\"born\":\"x\"}", "/born", "Expected \(JSONDecodingError.date)."),
        Fault("{\"id\":1,\"name\":\"\",\"born\":5}", "/born", "Expected a string, not a number."),
        Fault(
            "{\"id\":1,\"name\":\"\",\"points\":{\"a\":\"b\"}}", "/points/a",
            "Expected a whole number, not a string."),
        Fault("{\"id\":1,\"name\":\"\",\"rooms\":{\"x\":true}}", "/rooms/x", "Expected a whole number as the name."),
        Fault("{\"id\":1,\"name\":\"\",\"rooms\":{\"7\":0}}", "/rooms/7", "Expected true or false, not a number."),
        Fault("{\"id\":1,\"name\":\"\",\"friends\":[ {\"id\":1} ]}", "/friends/0/name", "This member is required."),
        Fault(
            "{\"id\":1,\"name\":\"\",\"points\":{\"a/~b\":[]}}", "/points/a~1~0b",
            "Expected a whole number, not an array."),
        Fault(
            "{\"id\":1,\"name\":\"\",\"address\":{\"city\":\"\",\"post_code\":\"\"}}", "/address/post_code",
            "Expected a whole number, not a string.", JSONCoder(keys: .snakeCase)),
        Fault(
            "{\"id\":1,\"name\":\"\",\"is_active\":1}", "/is_active", "Expected true or false, not a number.",
            JSONCoder(keys: .snakeCase)),
        Fault(
            "{\"id\":1,\"name\":\"\",\"points\":{\"aB\":\"\"}}", "/points/aB", "Expected a whole number, not a string.",
            JSONCoder(keys: .snakeCase)),
    ]

    @Test(arguments: faults)
    func `an error points at the value`(fault: Fault) {
        #expect(throws: fault.error) {
            try fault.coder.decode(User.self, from: Array(fault.testDescription.utf8))
        }
    }

    @Test(arguments: [
        (#"{"price":1e200}"#, "/price", JSONCoder()), (#"{"at":1e999}"#, "/at", JSONCoder(dates: .secondsSince1970)),
        (#"{"at":1e999}"#, "/at", JSONCoder(dates: .millisecondsSince1970)),
    ])
    func `a number that is too large for its type is one out of range`(
        text: String, pointer: String, coder: JSONCoder
    ) {
        struct Offer: Decodable {
            var price: Decimal?
            var at: Date?
        }
        #expect(throws: JSONDecodingError(pointer: pointer, reason: JSONDecodingError.outOfRange)) {
            try coder.decode(Offer.self, from: Array(text.utf8))
        }
    }

    @Test func `a text that is no date is not a number out of range, wherever it stands`() {
        struct Moment: Decodable {
            init(from decoder: any Decoder) throws { _ = try decoder.singleValueContainer().decode(Date.self) }
        }
        #expect(throws: JSONDecodingError(pointer: "", reason: "Expected \(JSONDecodingError.date).")) {
            try JSONCoder().decode(Moment.self, from: Array(#""x""#.utf8))
        }
    }

    @Test func `a name that is no key of a dictionary is an error that names no type of Swift`() {
        enum Plan: String, Codable, CodingKeyRepresentable { case free }
        #expect(throws: JSONDecodingError(pointer: "/paid", reason: "This is not known here.")) {
            try JSONCoder().decode([Plan: Int].self, from: Array(#"{"paid":1}"#.utf8))
        }
    }

    @Test func `texts that are no UUID, URL or base64 are told in words like the others`() {
        struct Nest: Decodable {
            var id: UUID?
            var page: URL?
            var photo: Data?
        }
        for (text, pointer, reason) in [
            (#"{"id":"x"}"#, "/id", "Expected a UUID."), (#"{"page":""}"#, "/page", "Expected a URL."),
            (#"{"photo":"aGk"}"#, "/photo", "Expected a string in base64."),
        ] {
            #expect(throws: JSONDecodingError(pointer: pointer, reason: reason)) {
                try JSONCoder().decode(Nest.self, from: Array(text.utf8))
            }
        }
    }

    @Test func `a text deeper than the decoder goes is refused as too deep, whatever the limit`() throws {
        let text = { (depth: Int) in
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        let coder = JSONCoder(maximumDepth: 1000)
        _ = try coder.decode(JSONAnything.self, from: text(512))
        #expect(throws: JSONSyntaxError(offset: 512, reason: .tooDeep)) {
            try coder.decode(JSONAnything.self, from: text(513))
        }
        try coder.check(text(1000))
    }

    @Test func `an error reads as a sentence`() {
        let error = JSONDecodingError(pointer: "/name", reason: "This member is required.")
        #expect("\(error)" == "/name: This member is required.")
        #expect("\(JSONDecodingError(pointer: "", reason: "Expected an object."))" == "Expected an object.")
    }
}
