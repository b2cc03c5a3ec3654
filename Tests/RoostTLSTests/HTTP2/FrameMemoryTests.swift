import Glibc
import Testing

@testable import RoostTLS

@Suite("HTTP/2: memory for frames", .timeLimit(.minutes(5)))
struct FrameMemoryTests {
    /// The size of the buffer of one of nghttp2's sessions: a frame of 16 KiB, and what comes before it.
    private static let size = 16 * 1024 + 10

    /// The number of pages of a block that are in memory.
    private static func pages(_ block: UnsafeMutableRawPointer) -> Int {
        var pages = [UInt8](repeating: 0, count: FrameMemory.blockSize / Int(getpagesize()))
        mincore(block, FrameMemory.blockSize, &pages)
        return pages.count { $0 & 1 == 1 }
    }

    @Test func `only what is written to is in memory, but for a few that were given back`() throws {
        let count = FrameMemory.kept + 40
        let blocks = try (0..<count).map { _ in try #require(FrameMemory.reallocate(nil, Self.size)) }
        defer { for block in blocks { FrameMemory.free(block) } }
        #expect(blocks.count { Self.pages($0) == 0 } >= 40)
        for block in blocks { block.storeBytes(of: 1, as: UInt8.self) }
        #expect(blocks.count { Self.pages($0) == 1 } >= 40)
    }

    @Test func `a block that becomes too small is moved`() throws {
        let block = try #require(FrameMemory.allocate(Self.size))
        block.storeBytes(of: 7, toByteOffset: Self.size - 1, as: UInt8.self)
        #expect(FrameMemory.reallocate(block, FrameMemory.blockSize) == block)
        let larger = try #require(FrameMemory.reallocate(block, FrameMemory.blockSize + 1))
        #expect(larger != block)
        #expect(larger.load(fromByteOffset: Self.size - 1, as: UInt8.self) == 7)
        FrameMemory.free(larger)
    }

    @Test(arguments: [0, 1, 16 * 1024, 21 * 1024])
    func `other memory is the system's own`(size: Int) throws {
        let memory = try #require(FrameMemory.allocate(size))
        let other = try #require(FrameMemory.reallocate(memory, size + 1))
        FrameMemory.free(other)
        FrameMemory.free(nil)
    }
}
