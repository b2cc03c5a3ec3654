import Testing

/// `Sources/README.md`: the rooms with what they use, and the walk of a request.
@Suite("The map", .timeLimit(.minutes(5)))
struct MapTests {
    private static let lines = Readme.contents("Sources/README.md").split(separator: "\n")

    /// The rows of the table: the folders of each, and the names in its last column.
    private static let rows: [(folders: [String], uses: Set<String>)] = lines.compactMap { line in
        let cells = line.split(separator: "|")
        guard line.hasPrefix("| `"), cells.count == 3 else { return nil }
        return (names(in: cells[0]), Set(names(in: cells[2])))
    }

    private static func names(in text: Substring) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
    }

    @Test(arguments: HouseTests.uses.keys.sorted())
    func `its row of a room says what the room uses`(room: String) throws {
        let row = try #require(Self.rows.first { $0.folders == ["Roost/" + room] })
        #expect(row.uses == HouseTests.uses[room])
    }

    @Test(arguments: HouseTests.modules)
    func `its row of a module says what the module uses`(module: String, allowed: [String]) throws {
        let row = try #require(Self.rows.first { $0.folders == [module] })
        #expect(row.uses == Set(allowed.filter { !$0.hasPrefix("C") }))
    }

    /// A line of the walk: `Connection.advance    Connection/Connection.swift    a remark`.
    @Test func `each function of the walk is in its file`() {
        var count = 0
        for line in Self.lines {
            let words = line.split(separator: " ")
            guard words.count > 1, words[1].hasSuffix(".swift"), !line.hasPrefix("|") else { continue }
            count += 1
            let name = words[0].split(separator: ".").map(String.init)
            let files = ["Sources/Roost/", "Sources/"].map { Readme.contents($0 + words[1]) }
            let code = Set(files.joined().split { !($0.isLetter || $0.isNumber) }.map(String.init))
            let starts =
                name.last == "init" ? ["init(", "init<"] : ["func ", "var ", "let "].map { $0 + (name.last ?? "") }
            let isDeclared = starts.contains { start in files.contains { $0.contains(start) } }
            #expect(name.count == 2 && code.contains(name[0]) && isDeclared, "\(line)")
        }
        #expect(count > 60)
    }
}
