import Glibc
import Testing

@testable import Roost

/// Reading a part of a file that is being sent.
@Suite("Parts of open files", .timeLimit(.minutes(5)))
struct OpenFileTests {
    private let folder: FilesOnDisk

    init() throws {
        folder = try FilesOnDisk()
        folder.write("file", Array(0..<100))
    }

    private func file(_ mode: Int32 = O_RDONLY) throws -> OpenFile {
        try #require(try OpenFile.entry(open(folder.path + "/file", mode), in: FileBudget(4))?.file)
    }

    @Test func `a range is read where it is`() throws {
        let file = try file()
        #expect(try OpenFile.bytes(10..<30, of: file.descriptor) == Array(10..<30))
        #expect(try OpenFile.bytes(0..<0, of: file.descriptor).isEmpty)
        let buffer = ByteBuffer()
        #expect(FilePart(file, 98..<100).append(to: buffer))
        #expect(buffer.bytes == [98, 99])
    }

    @Test func `nothing is made of a file that has become shorter`() async throws {
        let file = try file()
        let error = #expect(throws: FileReadError.self) { try OpenFile.bytes(90..<101, of: file.descriptor) }
        #expect(error?.description == "A file could not be sent completely: it has become shorter.")
        let buffer = ByteBuffer()
        #expect(!FilePart(file, 90..<101).append(to: buffer))
        #expect(buffer.bytes.isEmpty)
        await #expect(throws: FileReadError.self) { for try await _ in FilePart(file, 90..<101) {} }
    }

    @Test func `an error is the system's own`() async throws {
        // As after an error of the disk, nothing can be read through this descriptor.
        let file = try file(O_WRONLY)
        let error = await #expect(throws: FileReadError.self) { for try await _ in FilePart(file) {} }
        #expect(error?.description == "A file could not be sent completely: Bad file descriptor.")
        #expect(!FilePart(file).append(to: ByteBuffer()))
    }
}
