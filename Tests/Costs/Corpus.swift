import struct FoundationEssentials.Data
import struct FoundationEssentials.URL

/// The inputs that the fuzzer found worth keeping. The tests replay them in a debug build, this program in a release
/// build, so that nothing which the optimizer does to a parser goes unseen.
enum Corpus {
    /// Runs a target on files. False when one breaks a law, which is printed.
    static func replay(_ name: String, _ paths: ArraySlice<String>) -> Bool {
        guard let target = FuzzTarget.all.first(where: { $0.name == name }), !paths.isEmpty else {
            print("\(name): no such target, or no inputs")
            return false
        }
        var isGood = true
        for path in paths {
            do {
                try target.run(Array(Data(contentsOf: URL(filePath: path))))
            } catch {
                print("\(path): \(error)")
                isGood = false
            }
        }
        return isGood
    }
}
