import Roost
import RoostHTTPClient

/// The place of the users' pictures, which all instances share: a bucket of S3 (`FILES_URL`), or the folder `pictures`
/// in `DATA_DIR`. It is opened at the start, after the database.
struct PictureFolder: HealthReporting {
    let store: any FileStore
    /// Whether there is room on the disk that the site writes to.
    let healthChecks: [HealthCheck]

    /// With a database in memory and no bucket, the pictures are in memory, too.
    init(_ settings: Settings) {
        if let files = settings.files {
            store = S3FileStore(S3Bucket(files))
        } else if settings.isInMemory {
            store = MemoryFileStore()
        } else {
            store = FolderFileStore(settings.dataFolder + "/pictures")
        }
        healthChecks = settings.writtenFolder.map { [HealthCheck.diskSpace($0)] } ?? []
    }

    func start() async throws {
        try (store as? FolderFileStore)?.open()
        try await (store as? S3FileStore)?.open()
    }

    func stop() async {}
}
