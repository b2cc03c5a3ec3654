import HTTPTypes
import Testing

@testable import Roost

/// RFC 4180, and what spreadsheets write.
@Suite("CSV in", .timeLimit(.minutes(1)))
struct CSVRowsTests {
    private struct Room: Decodable, Validatable, Sendable, Equatable {
        var name: String
        var seats: Int?

        mutating func validate(_ check: inout Validation) {
            check("name", &name, .trimmed, .required)
            check("seats", seats, .range(1...100))
        }
    }

    private static func rooms(_ text: String) async throws -> [Room] {
        try await CSVRows(Room.self, from: Body(text)).all()
    }

    /// The records of a text that comes in two pieces.
    private static func records(_ text: String, splitAt place: Int, maximumSize: Int = 1000) throws -> [[String]] {
        var parser = CSVParser(maximumSize: maximumSize)
        var records: [[String]] = []
        for piece in [Array(text.utf8.prefix(place)), Array(text.utf8.dropFirst(place)), nil] {
            parser.receive(piece)
            while let record = try parser.next() { records.append(record.fields) }
        }
        return records
    }

    @Test(arguments: [
        ("a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]), ("a,b\n1,2", [["a", "b"], ["1", "2"]]),
        ("\u{FEFF}a;b\n1,5;2", [["a", "b"], ["1,5", "2"]]), ("a\tb", [["a", "b"]]), ("a,,", [["a", "", ""]]),
        ("\"a\"\"b\",\"c\r\nd\"\r\n", [["a\"b", "c\r\nd"]]), ("\"\",x", [["", "x"]]), ("", []), ("\n\r\n\n", []),
        ("a\n\n b \n", [["a"], [" b "]]), ("é,\"ü\"", [["é", "ü"]]), ("\"a\"\r\nb", [["a"], ["b"]]),
        ("name\nMiller; Sons\n", [["name"], ["Miller; Sons"]]), ("a\r\n\"\"\r\nb\r", [["a"], [""], ["b"]]),
        ("sep=;\r\na;b\r\n1,5;2", [["a", "b"], ["1,5", "2"]]), ("\u{FEFF}sep=\t\na\tb", [["a", "b"]]),
        ("sep=,\na", [["a"]]), ("a;b\nsep=;\n", [["a", "b"], ["sep=", ""]]), ("sep=", [["sep="]]),
    ])
    func `a file is read wherever it is split`(text: String, records: [[String]]) throws {
        for place in 0...text.utf8.count {
            #expect(try Self.records(text, splitAt: place) == records, "\(place)")
        }
    }

    @Test(arguments: [
        ("a,b\nx,\"y", 2, 2), ("a\"b", 1, 1), ("a\n\"b\"c", 2, 1), ("a,b\n\"1\n2\",x\"", 2, 2),
        (String(repeating: "x", count: 1001), 1, 1), ("a,b\r1,2\r", 1, 2), ("\"a\"\r\"b\"", 1, 1),
    ])
    func `what is no CSV is told by its place`(text: String, line: Int, column: Int) {
        for place in 0...min(20, text.utf8.count) {
            let mistake = #expect(throws: CSVMistake.self) { try Self.records(text, splitAt: place) }
            #expect(mistake?.line == line)
            #expect(mistake?.column == column)
        }
    }

    @Test(arguments: [[0xFF, 0xFE, 0x61, 0, 0x0D, 0], [0xFE, 0xFF, 0, 0x61, 0, 0x0D], [0xFF, 0xFE]] as [[UInt8]])
    func `a table in UTF-16 is told so, wherever it is split`(bytes: [UInt8]) {
        for place in 0...bytes.count {
            var parser = CSVParser()
            let mistake = #expect(throws: CSVMistake.self) {
                for piece in [Array(bytes.prefix(place)), Array(bytes.dropFirst(place)), nil] {
                    parser.receive(piece)
                    while try parser.next() != nil {}
                }
            }
            #expect(mistake?.description == "Line 1, column 1: The table is UTF-16: save it as CSV in UTF-8.")
        }
    }

    @Test func `too many columns are a mistake`() {
        #expect(throws: CSVMistake.self) {
            try Self.records(String(repeating: ",", count: 2000), splitAt: 0, maximumSize: 9000)
        }
    }

    @Test(arguments: ["name,,seats\nOak,,4\n", "name,name\nOak,Elm\n"])
    func `heads that are empty or come twice are a mistake`(text: String) async {
        await #expect(throws: HTTPError.self) { try await Self.rooms(text) }
    }

    @Test func `a column that is missing is told once, at the first line`() async throws {
        let error = await #expect(throws: HTTPError.self) { try await Self.rooms("\nseats\n4\n5\n") }
        #expect(error?.parts.map(\.message) == ["Line 2 (name): The column is missing."])
        #expect(error?.parts.map(\.pointer) == ["/2/name"])
    }

    private struct Guest: Decodable, Validatable, Equatable {
        var news: Bool
        var email: String?
        var price: LocalNumber?

        func validate(_ check: inout Validation) {
            if news { check("email", email, .required) }
        }
    }

    @Test func `a column that only some rows need is missing in these`() async throws {
        var lines: [(Int, Bool)] = []
        for try await row in CSVRows(Guest.self, from: Body("news\nfalse\ntrue\nfalse\n")) {
            lines.append((row.line, row.value == nil))
        }
        #expect(lines.map(\.0) == [2, 3, 4] && lines.map(\.1) == [false, true, false])
    }

    private struct Answer: Decodable, Sendable { var news: Bool }

    @Test func `a Boolean is one in any case, as spreadsheets write them`() async throws {
        let body = Body("news\nTRUE\nFALSE\nTrue\nfalse\nOn\nOFF\n1\n0\n")
        let answers = try await CSVRows(Answer.self, from: body).all().map(\.news)
        #expect(answers == [true, false, true, false, true, false, true, false])
    }

    private struct Remark: Codable, Sendable, Equatable {
        private enum CodingKeys: String, CodingKey {
            case text = "=text"
            case number
        }

        var text: String
        var number = -1
    }

    @Test(arguments: [
        "a", "a,b", "a;b", "a\"b", "a\nb", "=1+1", "+1", "-1", "@x", "\tx", "\rx", "=a,b", "", "x;=1;", "x\n@y", "\n=1",
        "a=1,-2", "ü=", " =1", "'=1", "''-x", "'\tx", "'", "''", "'a'", "it's; '+1", "Two:\r\n- item\n'- item\n''x",
        "\0=1", "\u{FF1D}1", "'\u{FF0B}1", "x;'\u{FF0D}1;\u{FF20}", "'\u{FF1E}",
    ])
    func `a table that went out comes back with the same texts`(text: String) async throws {
        let response = try Response.csv([Remark(text: text)], fileName: "remarks.csv")
        #expect(try await CSVRows(Remark.self, from: response.body).all() == [Remark(text: text)])
    }

    private struct Word: Codable, Sendable, Equatable { var word: String }

    @Test(arguments: [CSVSeparator.comma, .semicolon, .tab])
    func `so does one with another separator, of several columns or one`(separator: CSVSeparator) async throws {
        let texts = ["a,=1", "a,'=1", "a,'", ",\u{FF1D}1", "x;-1", "x\t,+1", "a,b"]
        let remarks = texts.map { Remark(text: $0) }
        let several = try Response.csv(remarks, fileName: "remarks.csv", separator: separator)
        #expect(try await CSVRows(Remark.self, from: several.body).all() == remarks)
        let words = texts.map { Word(word: $0) }
        let one = try Response.csv(words, fileName: "words.csv", separator: separator)
        #expect(try await CSVRows(Word.self, from: one.body).all() == words)
    }

    @Test func `numbers are read in the visitor's language`() async throws {
        let body = Body("news;price\nfalse;1.234,5\nfalse;1.500\n")
        let guests = try await CSVRows(Guest.self, from: body, messages: MessageTable("de")).all()
        #expect(guests.map(\.price) == [1234.5, 1500])
    }

    @Test func `mistakes are told in the visitor's language, with their places`() async throws {
        let german = MessageTable(
            "de",
            [
                "Line {line}, column {column} ({name}): {mistake}": "Zeile {line}, Spalte {column} ({name}): {mistake}",
                "Line {line}, column {column}: {mistake}": "Zeile {line}, Spalte {column}: {mistake}",
                "Line {line}: {mistake}": "Zeile {line}: {mistake}",
                "Must not be empty.": "Darf nicht leer sein.",
                "The line has {count} columns, and the first line has {heads}.": "{count} Spalten statt {heads}.",
                "A quotation mark is not closed.": "Ein Anführungszeichen ist offen.",
            ])
        let body = Body("name,seats\n,1\nAsh\n\"Elm\n")
        let error = await #expect(throws: HTTPError.self) {
            try await CSVRows(Room.self, from: body, messages: german).all()
        }
        let expected = [
            "Zeile 2, Spalte 1 (name): Darf nicht leer sein.", "Zeile 3: 1 Spalten statt 2.",
            "Zeile 4, Spalte 1: Ein Anführungszeichen ist offen.",
        ]
        #expect(error?.parts.map { german.text($0.sentence) } == expected)
    }

    @Test func `columns are found by their heads`() async throws {
        let rooms = try await Self.rooms("seats,colour,name\n4,red, Oak \n,blue,Elm\n")
        #expect(rooms == [Room(name: "Oak", seats: 4), Room(name: "Elm")])
        #expect(try await Self.rooms("name\n").isEmpty)
        #expect(try await Self.rooms("").isEmpty)
    }

    @Test func `each mistake has its line and column`() async throws {
        let error = await #expect(throws: HTTPError.self) {
            try await Self.rooms("name,seats\nOak,400\n\"E\nlm\",x\n,1\nAsh\n")
        }
        #expect(error?.status == .unprocessableContent)
        #expect(
            error?.parts.map(\.message) == [
                "Line 2, column 2 (seats): Must be from 1 to 100.", "Line 3, column 2 (seats): Must be a whole number.",
                "Line 5, column 1 (name): Must not be empty.",
                "Line 6: The line has 1 columns, and the first line has 2.",
            ])
        #expect(error?.parts.map(\.pointer) == ["/2/seats", "/3/seats", "/5/name", "/6"])
    }

    private struct Perch: Decodable, Sendable, Validatable {
        enum Kind: String, Decodable { case barn, tawny }

        var name: String
        var seats: Int
        var kind: Kind?

        mutating func validate(_ check: inout Validation) { check("name", &name, .required) }
    }

    @Test func `a choice that nobody can make up does not hide what else is wrong`() async throws {
        let error = await #expect(throws: HTTPError.self) {
            try await CSVRows(Perch.self, from: Body("name,seats,kind\n,x,owl\n,1,owl\n")).all()
        }
        #expect(Set(error?.parts.map(\.pointer) ?? []) == ["/2/seats", "/2/kind", "/2/name", "/3/kind", "/3/name"])
    }

    @Test func `a long field with many marks in a row is a mistake, since comparing it would take long`() async throws {
        let many = String(repeating: "\u{301}\u{323}", count: 300)
        let error = await #expect(throws: HTTPError.self) { try await Self.rooms("seats,name\n1,a\(many)\n") }
        #expect(
            error?.parts.map(\.message) == ["Line 2, column 2 (name): Has too many combining marks in a row."])
    }

    @Test func `mistakes of a form's file are shown at its field`() async throws {
        let file = UploadedFile(name: "rooms.csv", Array("name,seats\nOak,0\n,1\n".utf8))
        let error = await #expect(throws: HTTPError.self) {
            try await CSVRows(Room.self, from: file).all(field: "file")
        }
        #expect(error?.parts.map(\.name) == ["file", "file"])
        #expect(try await CSVRows(Room.self, from: UploadedFile(name: "a", [])).all().isEmpty)
    }

    @Test func `rows are bounded, and told one by one`() async throws {
        let error = await #expect(throws: HTTPError.self) {
            try await CSVRows(Room.self, from: Body("name\na\nb\nc\n")).all(upTo: 2)
        }
        #expect(error?.status == .contentTooLarge)
        var lines: [Int] = []
        for try await row in CSVRows(Room.self, from: Body("name\n\"a\nb\"\n\nc\n")) { lines.append(row.line) }
        #expect(lines == [2, 5])
    }

    private struct Seats: Decodable, Sendable { var seats: Int }

    @Test(arguments: [(3, 2, 413, 1), (2, 2, 422, 2), (150, 100, 422, 100), (150, 99, 413, 1)])
    func `rows with mistakes count, too, and a hundred mistakes are enough`(
        rows: Int, limit: Int, status: Int, told: Int
    ) async {
        let body = Body("seats\n" + String(repeating: "x\n", count: rows))
        let error = await #expect(throws: HTTPError.self) { try await CSVRows(Seats.self, from: body).all(upTo: limit) }
        #expect(error?.status.code == status)
        #expect(status == 413 || error?.parts.count == told)
    }

    @Test func `heads that come twice, and other bytes than UTF-8`() async throws {
        await #expect(throws: HTTPError.self) { try await Self.rooms("name,name\na,b\n") }
        let bytes = Array("name\n".utf8) + [0xFF, 0x0A]
        let error = await #expect(throws: HTTPError.self) { try await CSVRows(Room.self, from: Body(bytes)).all() }
        #expect(error?.parts.first?.message == "Line 2, column 1: The text is not UTF-8.")
    }
}
