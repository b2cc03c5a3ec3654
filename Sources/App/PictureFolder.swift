import Glibc
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

    /// Whether there is room for pictures, and for a database in the same folder.
    var healthChecks: [HealthCheck] { store is FolderFileStore ? [.diskSpace(folder)] : [] }

    func start() async throws {
        guard let store = store as? FolderFileStore else { return }
        mkdir(folder, 0o700)
        try store.open()
    }

    func stop() async {}
}
