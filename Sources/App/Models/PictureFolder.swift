import Roost
import RoostHTTPClient
import RoostSQL

/// The place of the users' pictures, which all instances share: a bucket of S3 (`FILES_URL`), or the folder `pictures`
/// in `DATA_DIR`. It is opened at the start, after the database.
struct PictureFolder: HealthReporting {
    let store: any FileStore
    /// Whether there is room for pictures, and for a database, where they are on the disk of the folder for data.
    let healthChecks: [HealthCheck]

    /// With a database in memory and no bucket, the pictures are in memory, too.
    init(_ settings: Settings) {
        let folder = settings.dataFolder
        if let files = settings.files {
            store = S3FileStore(S3Bucket(files))
        } else if settings.isInMemory {
            store = MemoryFileStore()
        } else {
            store = FolderFileStore(folder + "/pictures")
        }
        let hasFile = if case .sqlite = settings.database { !settings.isInMemory } else { false }
        healthChecks = hasFile || store is FolderFileStore ? [.diskSpace(folder)] : []
    }

    func start() async throws {
        try (store as? FolderFileStore)?.open()
        try await (store as? S3FileStore)?.open()
    }

    func stop() async {}
}
