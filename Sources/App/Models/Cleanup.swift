import RoostJobs
import RoostSQL

/// Removes what nobody needs any more: sessions that have ended, and pictures of no user. One instance does it each
/// night.
struct Cleanup: Job {
    func run(_ context: JobContext) async throws {
        try await context.service(SQLSessionStore.self).removeExpired()
        try await context.service(PictureFolder.self).removeUnused(context.service(SQLUserRepository.self))
    }
}
