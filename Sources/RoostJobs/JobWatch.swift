import Glibc
import Roost
import RoostSQL

/// Wakes a worker when another process has added jobs: at a notification of PostgreSQL, or when the write-ahead log of
/// a SQLite file changes (`inotify(7)`).
struct JobWatch {
    private let worker: JobWorker

    init(_ worker: JobWorker) { self.worker = worker }

    /// Watches until the task is cancelled.
    func watch(on loop: EventLoop) async {
        let jobs = worker.jobs
        do {
            if let driver = jobs.database.driver as? any NotifyingDriver {
                try await driver.listen(to: JobTable.channel) { _ in worker.wake() }
            } else if let driver = jobs.database.driver as? any SQLFileDriver, let path = driver.path {
                try await watch(type(of: driver).realPath(path) + "-wal", on: loop)
            }
        } catch is CancellationError {
        } catch {
            jobs.logger.error("Jobs of other processes are noticed late: \(LogText.escaped("\(error)"))")
        }
    }

    private func watch(_ path: String, on loop: EventLoop) async throws {
        let descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError("inotify_init1") }
        defer { close(descriptor) }
        while inotify_add_watch(descriptor, path, UInt32(IN_MODIFY)) < 0 {
            // It is made when something is written.
            guard errno == ENOENT else { throw SystemError("inotify_add_watch") }
            try await loop.sleep(for: .seconds(1))
        }
        // A commit can be seen only some time after it was written, when the disk has it: so many milliseconds after a
        // change it is still looked for, less and less often.
        var waited: Int?
        while true {
            let delay = waited.map { max(1, $0 / 4) }
            do {
                let end = delay.map { ContinuousClock.now + .milliseconds($0) }
                _ = try await loop.wait(for: [.readable], of: descriptor, until: end)
                // Long enough for most disks, and once in that time is enough, however much is written. The timers of a
                // loop have steps of up to four milliseconds.
                try? await offloadOwn { _ = usleep(600) }
                try Task.checkCancellation()
                drain(descriptor)
                waited = 1
            } catch is DeadlinePassed {
                waited = waited.map { $0 + (delay ?? 0) }
            }
            if await look() || waited ?? 0 > 200 { waited = nil }
        }
    }

    /// Wakes the worker if it has room for something that is due; whether it does.
    private func look() async -> Bool {
        let rooms = worker.room
        guard rooms.contains(where: { $0 > 0 }),
            let due = try? await worker.jobs.table.nextDue(for: worker.taker, rooms: rooms), due <= .zero
        else { return false }
        worker.wake()
        return true
    }

    private func drain(_ descriptor: Int32) {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
        }
    }
}
