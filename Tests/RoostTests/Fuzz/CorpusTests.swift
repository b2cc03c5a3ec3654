import Testing

import struct FoundationEssentials.Data
import class FoundationEssentials.FileManager
import struct FoundationEssentials.URL

/// Inputs that the fuzzer found worth keeping, and those that once broke a law, keep the laws in every run of the
/// tests.
@Suite("The corpus of the fuzzer", .timeLimit(.minutes(5))) struct CorpusTests {
    private static let folder = Readme.root + "/Tests/Fuzz/Corpus"

    private static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test(arguments: FuzzTarget.all.map(\.name))
    func `every input keeps the laws`(name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let folder = Self.folder + "/" + name
        let files = try Self.names(in: folder)
        #expect(!files.isEmpty)
        for file in files {
            let bytes = try Data(contentsOf: URL(filePath: folder + "/" + file))
            #expect(throws: Never.self, "\(name)/\(file)") { try target.run(Array(bytes)) }
        }
    }

    @Test func `every folder has a target`() throws {
        #expect(try Self.names(in: Self.folder) == FuzzTarget.all.map(\.name).sorted())
    }
}
