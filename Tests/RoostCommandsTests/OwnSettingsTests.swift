import Roost
import Testing

@testable import RoostCommands

@Suite("Settings of a program's own", .timeLimit(.minutes(1)))
struct OwnSettingsTests {
    /// A program that reads nothing but a setting of its own.
    private struct Shop: SiteProgram {
        static func application() throws -> Application { try Application { _ in } }

        static func readSettings(_ reader: inout SettingsReader) {
            _ = reader.read(Setting<Int>("PHOTO_LIMIT", default: 5, in: 1...100))
        }
    }

    /// A program that also reads those of the server, with another default for one of them.
    private struct Market: SiteProgram {
        static func application() throws -> Application { try Shop.application() }

        static func readSettings(_ reader: inout SettingsReader) {
            _ = Environment(reading: &reader)
            _ = ServerConfiguration(reading: &reader)
            _ = reader.read(Setting<Int>("WORKERS", default: 7, in: 1...100))
            Shop.readSettings(&reader)
        }
    }

    @Test func `those of the server and of the log are read with them, and their mistakes told together`() {
        let reader = SettingsReader(of: Shop.self, ["PORT": "99999", "PHOTO_LIMIT": "0", "LOG_LEVEL": "loud"])
        let names = Set(reader.entries.map(\.name))
        #expect(names.isSuperset(of: ["ROOST_ENV", "LOG_LEVEL", "LOG_FORMAT", "HOST", "PORT", "PHOTO_LIMIT"]))
        let error = #expect(throws: StartError.self) { try reader.check() }
        for name in ["PORT", "PHOTO_LIMIT", "LOG_LEVEL"] {
            #expect(error?.description.contains("\(name) is \"") == true, "\(name)")
        }
    }

    @Test func `a setting that the program reads itself is listed once, as the program takes it`() {
        let reader = SettingsReader(of: Market.self, ["PORT": "99999"])
        let names = reader.entries.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(reader.entries.contains { $0.name == "WORKERS" && $0.value == "7" })
        let error = #expect(throws: StartError.self) { try reader.check() }
        #expect(error?.description.split(separator: "\n").count == 1)
    }
}
