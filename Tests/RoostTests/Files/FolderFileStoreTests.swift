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

    @Test func `a file in the place of the folder is told as what it is`() {
        let error = #expect(throws: StartError.self) { try FolderFileStore("/dev/null").open() }
        #expect(error?.description.hasPrefix("The folder /dev/null cannot be read (Not a directory)") == true)
    }
}
