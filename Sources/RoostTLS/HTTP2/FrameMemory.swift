internal import CNghttp2
import Glibc
import Synchronization

/// The memory of nghttp2's sessions, in which the buffers for frames are pages of their own.
///
/// Each session has a buffer of 16 KiB for the frames that it makes, from its beginning to its end. Bodies do not pass
/// through it (`HTTP2Session.writeBody`), so it is never more than a few hundred bytes full. From `malloc` it would be
/// memory that a handshake has used before, all of it in the process. Here the system gives a page when it is first
/// written to: an idle connection over TLS takes 8 KiB less.
enum FrameMemory {
    /// The size of a block.
    static let blockSize = 20 * 1024
    /// The smallest request that gets a block: a frame's content has 16 KiB at most, and a header before it.
    private static let smallest = 16 * 1024 + 1
    /// The number of blocks; who comes later gets memory from `malloc`.
    private static let count = 64 * 1024

    /// The number of free blocks that keep their pages: to give them back takes a system call, and a fault when they
    /// are used again.
    static let kept = 64

    /// The number of blocks that become memory together, so that few are promised by the system before they are needed.
    private static let step = 256

    /// Addresses for all blocks, which are no memory yet; empty if the system does not give them, or has pages that are
    /// not parts of a block.
    private static let addresses: Range<UInt> = {
        guard blockSize % Int(getpagesize()) == 0 else { return 0..<0 }
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        let start = mmap(nil, count * blockSize, PROT_NONE, flags, -1, 0)
        guard let start, start != MAP_FAILED else { return 0..<0 }
        // A huge page would be the memory of a hundred blocks.
        madvise(start, count * blockSize, MADV_NOHUGEPAGE)
        return UInt(bitPattern: start)..<(UInt(bitPattern: start) + UInt(count * blockSize))
    }()

    private struct Blocks {
        /// The number of blocks that have been in use.
        var begun = 0
        /// The numbers of those that are free again and have kept their pages.
        var warm: [Int] = []
        /// The numbers of the others that are free again.
        var cold: [Int] = []
    }

    /// Sessions of all loops share the blocks.
    private static let blocks = Mutex(Blocks())

    /// Calls a function with what nghttp2 needs to know of it.
    static func withFunctions<Result>(_ body: (UnsafeMutablePointer<nghttp2_mem>) -> Result) -> Result {
        var functions = nghttp2_mem(
            mem_user_data: nil, malloc: { size, _ in FrameMemory.allocate(size) },
            free: { memory, _ in FrameMemory.free(memory) },
            calloc: { count, size, _ in Glibc.calloc(count, size) },
            realloc: { memory, size, _ in FrameMemory.reallocate(memory, size) })
        return withUnsafeMutablePointer(to: &functions, body)
    }

    static func allocate(_ size: Int) -> UnsafeMutableRawPointer? {
        if size >= smallest, size <= blockSize, let block = takeBlock() { return block }
        return malloc(size)
    }

    private static func takeBlock() -> UnsafeMutableRawPointer? {
        guard !addresses.isEmpty else { return nil }
        let number: Int? = blocks.withLock { blocks in
            if let free = blocks.warm.popLast() ?? blocks.cold.popLast() { return free }
            let next = blocks.begun
            guard next < count else { return nil }
            if next % step == 0, mprotect(address(of: next), step * blockSize, PROT_READ | PROT_WRITE) != 0 {
                return nil
            }
            blocks.begun += 1
            return next
        }
        return number.flatMap { address(of: $0) }
    }

    private static func address(of number: Int) -> UnsafeMutableRawPointer? {
        UnsafeMutableRawPointer(bitPattern: addresses.lowerBound + UInt(number * blockSize))
    }

    /// Gives memory back. That of a block goes back to the system, but for a few that the next sessions take.
    static func free(_ memory: UnsafeMutableRawPointer?) {
        guard let memory, isBlock(memory) else { return Glibc.free(memory) }
        let number = Int(UInt(bitPattern: memory) - addresses.lowerBound) / blockSize
        let isKept = blocks.withLock { blocks in
            guard blocks.warm.count < kept else { return false }
            blocks.warm.append(number)
            return true
        }
        if isKept { return }
        madvise(memory, blockSize, MADV_DONTNEED)
        blocks.withLock { $0.cold.append(number) }
    }

    static func reallocate(_ memory: UnsafeMutableRawPointer?, _ size: Int) -> UnsafeMutableRawPointer? {
        // That is how nghttp2 asks for a buffer.
        guard let memory else { return allocate(size) }
        guard isBlock(memory) else { return realloc(memory, size) }
        if size <= blockSize { return memory }
        guard let larger = malloc(size) else { return nil }
        memcpy(larger, memory, blockSize)
        free(memory)
        return larger
    }

    private static func isBlock(_ memory: UnsafeMutableRawPointer) -> Bool {
        addresses.contains(UInt(bitPattern: memory))
    }
}
