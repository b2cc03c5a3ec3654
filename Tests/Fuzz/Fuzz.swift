import Glibc

// The program that `scripts/fuzz` builds. libFuzzer brings the main function, and calls the target named by ROOST_FUZZ
// with bytes that it varies to reach more of the code. The tests run the same targets over the corpus.

private let target: FuzzTarget = {
    let name = getenv("ROOST_FUZZ").map { String(cString: $0) }
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
        print("ROOST_FUZZ must be one of: \(FuzzTarget.all.map(\.name).joined(separator: " "))")
        exit(2)
    }
    return target
}()

/// The function that libFuzzer calls.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    do {
        try target.run(bytes)
    } catch {
        print("\(error)\nThe input: \(String(decoding: bytes, as: UTF8.self).debugDescription)")
        fflush(nil)
        abort()
    }
    return 0
}
