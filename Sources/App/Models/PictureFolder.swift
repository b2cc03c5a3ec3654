import Roost
import RoostSQL

/// The folder of the users' pictures, `pictures` in `DATA_DIR`, which all instances share. It is opened at the start,
/// after the database.
struct PictureFolder: HealthReporting {
    let store: any FileStore
    private let folder: String

    /// - Parameter database: With one in memory, the pictures are in memory, too.
    init(_ folder: String, _ database: DatabaseURL) {
        self.folder = folder
        if case .sqlite(":memory:") = database {
            store = MemoryFileStore()
        } else {
            store = FolderFileStore(folder + "/pictures")
        }
    }

    /// Removes the pictures of no user, which a crash between keeping one and noting it has left; they are older than
    /// any request that is under way.
    func removeUnused(_ users: SQLUserRepository) async throws {
        _ = try await store.removeUnused(olderThan: .hours(1)) { try await users.pictures(among: $0) }
    }

    /// Whether there is room for pictures, and for a database in the same folder.
    var healthChecks: [HealthCheck] { store is FolderFileStore ? [.diskSpace(folder)] : [] }

    func start() async throws {
        try (store as? FolderFileStore)?.open()
    }

    func stop() async {}
}
