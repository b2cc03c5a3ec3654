import Glibc
import Synchronization
import Testing

import struct FoundationEssentials.Data
import class FoundationEssentials.FileManager
import struct FoundationEssentials.URL
import struct FoundationEssentials.UUID

@testable import Roost

/// Templates from a folder, and how changes of them are noticed.
@Suite(.timeLimit(.minutes(5)))
final class `Template folder` {
    private let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/roost-templates-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path + "/users", withIntermediateDirectories: true)
        try write("layout.mustache", "<{{$body}}{{/body}}>")
        try write("users/index.mustache", "{{<layout}}{{$body}}{{>users/row}}{{/body}}{{/layout}}")
        try write("users/row.mustache", "{{name}}")
    }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path + "/" + name))
    }

    deinit { remove() }

    private func remove() { try? FileManager.default.removeItem(atPath: path) }

    @Test func `names are paths`() throws {
        try write("notes.txt", "{{#")
        try write(".hidden.mustache", "{{#")
        let templates = try Templates(directory: path + "/")
        #expect(templates.names == ["layout", "users/index", "users/row"])
        #expect(templates.contains("users/row") && !templates.contains("users"))
        #expect(String(decoding: try templates.render("users/index", ["name": "Ann"]), as: UTF8.self) == "<Ann>")
    }

    @Test func `errors show the path`() throws {
        try write("users/index.mustache", "\u{FEFF}x {{>users/raw}}")
        let error = #expect(throws: TemplateErrors.self) { try Templates(directory: path) }
        let first = error?.description.split(separator: "\n").first
        #expect(first == "\(path)/users/index.mustache:1:3: unknown partial \"users/raw\": did you mean \"users/row\"?")
    }

    @Test func `the templates are compiled again for a change only`() throws {
        let count = Atomic(0)
        let sources = try TemplateFolder(path).sources()
        let compile = { @Sendable (sources: [TemplateSource]) in
            count.add(1, ordering: .relaxed)
            return try TemplateCompiler(sources: sources, limits: TemplateLimits(), allowsUnknown: false, assets: nil)
                .compile()
        }
        let live = LiveTemplates(path, sources, try compile(sources), compile: compile)
        func compiled() throws -> Int {
            _ = try live.program()
            return count.load(ordering: .relaxed)
        }
        #expect(try compiled() == 1)
        // As long as before, and perhaps in the same tick of the clock.
        try write("users/row.mustache", "{{nama}}")
        #expect(try compiled() == 2)
        #expect(try compiled() == 2)
        try write("users/row.mustache", "{{nama}}")
        #expect(try compiled() == 2)
        try FileManager.default.removeItem(atPath: path + "/users/index.mustache")
        #expect(try compiled() == 3)
    }

    private func render(_ templates: Templates) throws -> String {
        String(decoding: try templates.render("users/index", ["name": "Ann"]), as: UTF8.self)
    }

    @Test func `an edit is live at the next rendering`() throws {
        let live = try Templates(directory: path, reloads: true)
        #expect(try render(live) == "<Ann>")
        for text in ["{{name}}1", "{{name}}2", "{{name}}3"] {
            try write("users/row.mustache", text)
            #expect(try render(live) == "<Ann\(text.suffix(1))>")
        }
    }

    @Test func `a new file and a removed one are live, a partial as well`() throws {
        let live = try Templates(directory: path, reloads: true)
        try write("users/index.mustache", "{{>new}}")
        #expect(throws: TemplateErrors.self) { try render(live) }
        try write("new.mustache", "new {{name}}")
        #expect(try render(live) == "new Ann")
        #expect(live.contains("new") && live.names == ["layout", "new", "users/index", "users/row"])
        try FileManager.default.removeItem(atPath: path + "/users/index.mustache")
        let error = #expect(throws: TemplateError.self) { try render(live) }
        #expect(error?.message.hasPrefix("there is no template \"users/index\"") == true)
    }

    @Test func `a broken template stays an error until it is fixed`() throws {
        let live = try Templates(directory: path, reloads: true)
        try write("users/row.mustache", "{{name")
        #expect(throws: TemplateErrors.self) { try render(live) }
        #expect(throws: TemplateErrors.self) { try render(live) }
        try write("users/row.mustache", "<b>{{name}}</b>")
        #expect(try render(live) == "<<b>Ann</b>>")
    }

    @Test func `a folder that is gone is an error until it is back`() throws {
        let live = try Templates(directory: path, reloads: true)
        try FileManager.default.moveItem(atPath: path, toPath: path + "-moved")
        #expect(throws: TemplateError.self) { try render(live) }
        try FileManager.default.moveItem(atPath: path + "-moved", toPath: path)
        #expect(try render(live) == "<Ann>")
    }

    @Test func `without reloading the folder is not looked at again`() throws {
        let templates = try Templates(directory: path, reloads: false)
        remove()
        #expect(try render(templates) == "<Ann>")
    }

    @Test func `a link in a circle is walked once`() throws {
        try FileManager.default.createSymbolicLink(atPath: path + "/users/again", withDestinationPath: path + "/users")
        #expect(try Templates(directory: path).names == ["layout", "users/index", "users/row"])
    }

    @Test func `a link to nothing is passed over`() throws {
        for (name, target) in [("gone", "/no/such/file"), ("self", "self.mustache")] {
            try FileManager.default.createSymbolicLink(
                atPath: path + "/\(name).mustache", withDestinationPath: target)
        }
        #expect(try Templates(directory: path).names == ["layout", "users/index", "users/row"])
    }

    /// As a template, an empty text would be a page without content; a missing one, a page that is gone.
    @Test(arguments: [
        // The memory at address 0 cannot be read.
        ("/proc/self/mem", "cannot be read (Input/output error)"),
        (String(repeating: "x", count: 300), "cannot be looked at (File name too long)"),
    ])
    func `a file that the system cannot read is an error, and not an empty or a missing template`(
        target: String, reason: String
    ) throws {
        try FileManager.default.createSymbolicLink(atPath: path + "/odd.mustache", withDestinationPath: target)
        let error = #expect(throws: (any Error).self) { try Templates(directory: path) }
        #expect(error.map { "\($0)" } == "\(path)/odd.mustache: \(reason)")
    }

    @Test func `a folder that cannot be read to its end is an error, and not a shorter one`() throws {
        let folder = try #require(opendir(path))
        defer { closedir(folder) }
        let file = open(path + "/layout.mustache", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        try #require(dup2(file, dirfd(folder)) >= 0)
        let error = #expect(throws: TemplateError.self) { try TemplateFolder.entries(of: "Templates", in: folder) }
        #expect(error?.description == "Templates: this folder cannot be read to its end (Not a directory)")
    }

    @Test func `a folder that is not there`() throws {
        remove()
        let error = #expect(throws: TemplateError.self) { try Templates(directory: path) }
        #expect(
            error?.description == "\(path): this folder cannot be read (No such file or directory): "
                + "create it or correct the path")
    }

    @Test func `a relative path is said with the folder that it begins in`() {
        let error = #expect(throws: TemplateError.self) { try Templates(directory: "no-such-folder") }
        let folder = FileManager.default.currentDirectoryPath
        #expect(error?.description.hasSuffix("; the program runs in \(folder)") ?? false, "\(error)")
    }

    @Test(arguments: [
        (EACCES, "correct its permissions"), (ENOENT, "create it or correct the path"),
        (ENOTDIR, "create it or correct the path"),
    ])
    func `what to do about a folder depends on why it cannot be opened`(code: Int32, advice: String) {
        #expect(TemplateFolder.advice(code) == advice)
    }

    @Test func `a path is shown as one types it`() throws {
        for (given, shown) in [("./nowhere/", "nowhere"), ("nowhere", "nowhere"), ("/nowhere/", "/nowhere")] {
            let error = #expect(throws: TemplateError.self) { try Templates(directory: given) }
            #expect(error?.message.hasPrefix("\(shown): this folder cannot be read") == true)
        }
    }

    @Test func `a file that is not UTF-8`() throws {
        try Data([0x61, 0xFF]).write(to: URL(filePath: path + "/bad.mustache"))
        let error = #expect(throws: TemplateErrors.self) { try Templates(directory: path) }
        #expect(error?.description == "\(path)/bad.mustache: is not UTF-8: save it with this encoding")
    }
}
