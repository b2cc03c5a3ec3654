import Glibc
import Roost
import RoostSQL
import RoostSQLite
import RoostTesting
import Testing

@Suite("The end of SQLite", .timeLimit(.minutes(5)))
struct SQLiteEndTests {
    @Test func `it does not wait for the application's work on threads`() async throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let loops = try EventLoopGroup(count: 1, pool: BlockingPool(maximumThreads: 1, maximumQueue: 64))
        let loop = loops.loops[0]
        let ends = UnsafeMutablePointer<CInt>.allocate(capacity: 2)
        defer { ends.deallocate() }
        #expect(pipe(ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        let isWorking = Latch()
        let work = Task(executorPreference: loop) {
            try await offload {
                isWorking.open()
                var byte: UInt8 = 0
                return read(reading, &byte, 1)
            }
        }
        await isWorking.wait()
        let database = scratch.database()
        try await Task(executorPreference: loop) {
            try await database.start()
            try await database.execute("CREATE TABLE eggs (id)")
            await database.stop()
        }.value
        var byte: UInt8 = 0
        #expect(write(writing, &byte, 1) == 1)
        #expect(try await work.value == 1)
        close(writing)
        close(reading)
        loops.stop()
    }
}
