import Roost
import RoostHTTPClient
import RoostSQL

/// The place of the users' pictures, which all instances share: a bucket of S3 (`FILES_URL`), or the folder `pictures`
/// in `DATA_DIR`. It is opened at the start, after the database.
struct PictureFolder: HealthReporting {
    let store: any FileStore
    private let folder: String
    /// Whether the pictures, or the database, are on the disk of the folder for data.
    private let isOnDisk: Bool

    /// With a database in memory and no bucket, the pictures are in memory, too.
    init(_ settings: Settings) {
        folder = settings.dataFolder
        if let files = settings.files {
            store = S3FileStore(S3Bucket(files))
        } else if settings.isInMemory {
            store = MemoryFileStore()
        } else {
            store = FolderFileStore(folder + "/pictures")
        }
        let hasFile = if case .sqlite = settings.database { !settings.isInMemory } else { false }
        isOnDisk = hasFile || store is FolderFileStore
    }

    /// Removes the pictures of no user, which a crash between keeping one and noting it has left; they are older than
    /// any request that is under way.
    func removeUnused(_ users: SQLUserRepository) async throws {
        _ = try await store.removeUnused(olderThan: .hours(1)) { try await users.pictures(among: $0) }
    }

    /// Whether there is room for pictures, and for a database in the same folder.
    var healthChecks: [HealthCheck] { isOnDisk ? [.diskSpace(folder)] : [] }

    func start() async throws {
        try (store as? FolderFileStore)?.open()
        try await (store as? S3FileStore)?.open()
    }

    func stop() async {}
}
