import Glibc

/// The identity of the file that a path leads to, as the system knows it.
struct FileIdentity: Equatable {
    private let device: dev_t
    private let number: ino_t

    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = status.st_dev
        number = status.st_ino
    }
}
