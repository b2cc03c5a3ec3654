import Glibc
import Testing

@testable import Roost

@Suite("Files in a folder", .timeLimit(.minutes(1)))
struct FolderFileStoreTests {
    @Test(.enabled(if: access("/sys/kernel", F_OK) == 0, "it needs /sys, where nobody can make a folder"))
    func `a folder that cannot be made says why, and not that it is missing`() {
        for path in ["/sys/photos", "/sys/site/photos"] {
            let error = #expect(throws: StartError.self) { try FolderFileStore(path).open() }
            let text = error?.description ?? ""
            #expect(text.hasPrefix("The folder \(path) cannot be made ("), "\(text)")
            #expect(!text.contains("No such file"), "\(text)")
            #expect(error?.exitCode == 78)
        }
    }

    @Test func `a folder that takes the place of another one is used from then on`() async throws {
        let (folder, old) = ("/tmp/roost-exchanged-\(getpid())", "/tmp/roost-exchanged-\(getpid())-old")
        defer {
            for path in [folder, old] {
                for name in ["a", "b"] { unlink("\(path)/\(name)") }
                rmdir(path)
            }
        }
        let store = FolderFileStore(folder)
        let file = UploadedFile(name: "", [1])
        try await store.save(file, as: "a")
        #expect(rename(folder, old) == 0)
        let error = await #expect(throws: StartError.self) { try await store.save(file, as: "b") }
        #expect(error?.description.hasPrefix("The folder \(folder) cannot be read (No such file") == true)
        #expect(mkdir(folder, 0o700) == 0)
        try await store.save(file, as: "b")
        #expect(access("\(folder)/b", F_OK) == 0 && access("\(old)/b", F_OK) != 0)
        // The files of the old one are left alone.
        #expect(try await store.removeUnused(olderThan: .hours(-1)) { _ in [] } == 1)
        #expect(access("\(folder)/b", F_OK) != 0 && access("\(old)/a", F_OK) == 0)
    }

    @Test func `a file in the place of the folder is told as what it is`() {
        let error = #expect(throws: StartError.self) { try FolderFileStore("/dev/null").open() }
        #expect(error?.description.hasPrefix("The folder /dev/null cannot be read (Not a directory)") == true)
    }
}
