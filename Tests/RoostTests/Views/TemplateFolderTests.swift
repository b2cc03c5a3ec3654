import Testing

import struct FoundationEssentials.Data
import class FoundationEssentials.FileManager
import struct FoundationEssentials.URL
import struct FoundationEssentials.UUID

@testable import Roost

/// Templates from a folder, and how it is seen that they changed.
struct `Template folder` {
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

    private func remove() { try? FileManager.default.removeItem(atPath: path) }

    @Test func `names are paths`() throws {
        defer { remove() }
        try write("notes.txt", "{{#")
        try write(".hidden.mustache", "{{#")
        let templates = try Templates(directory: path + "/")
        #expect(templates.names == ["layout", "users/index", "users/row"])
        #expect(templates.contains("users/row") && !templates.contains("users"))
        #expect(String(decoding: try templates.render("users/index", ["name": "Ann"]), as: UTF8.self) == "<Ann>")
    }

    @Test func `errors show the path`() throws {
        defer { remove() }
        try write("users/index.mustache", "\u{FEFF}x {{>users/raw}}")
        let error = #expect(throws: TemplateErrors.self) { try Templates(directory: path) }
        let first = error?.description.split(separator: "\n").first
        #expect(first == "\(path)/users/index.mustache:1:3: unknown partial \"users/raw\": did you mean \"users/row\"?")
    }

    @Test func `an edit, a new file and a removed one are seen once`() throws {
        defer { remove() }
        var folder = try TemplateFolder(path)
        #expect(try !folder.changed())
        try write("users/row.mustache", "{{name}}!")
        #expect(try folder.changed())
        #expect(try !folder.changed())
        try write("new.mustache", "")
        #expect(try folder.changed())
        try FileManager.default.removeItem(atPath: path + "/new.mustache")
        #expect(try folder.changed())
        #expect(try !folder.changed())
    }

    @Test func `edits are live, and a broken template stays an error until it is mended`() throws {
        defer { remove() }
        var live = try LiveTemplates(directory: path)
        let page = ["name": "Ann"]
        #expect(String(decoding: try live.templates().render("users/row", page), as: UTF8.self) == "Ann")
        try write("users/row.mustache", "{{name")
        #expect(throws: TemplateErrors.self) { try live.templates() }
        #expect(throws: TemplateErrors.self) { try live.templates() }
        try write("users/row.mustache", "<b>{{name}}</b>")
        #expect(String(decoding: try live.templates().render("users/row", page), as: UTF8.self) == "<b>Ann</b>")
    }

    @Test func `a link in a circle is walked once`() throws {
        defer { remove() }
        try FileManager.default.createSymbolicLink(atPath: path + "/users/again", withDestinationPath: path + "/users")
        #expect(try Templates(directory: path).names == ["layout", "users/index", "users/row"])
    }

    @Test func `a folder that is not there`() throws {
        remove()
        let error = #expect(throws: TemplateError.self) { try Templates(directory: path) }
        #expect(
            error?.description == "\(path): this folder cannot be read (No such file or directory): "
                + "create it or correct the path")
    }

    @Test func `a file that is not UTF-8`() throws {
        defer { remove() }
        try Data([0x61, 0xFF]).write(to: URL(filePath: path + "/bad.mustache"))
        let error = #expect(throws: TemplateErrors.self) { try Templates(directory: path) }
        #expect(error?.description == "\(path)/bad.mustache: is not UTF-8: save it with this encoding")
    }
}
