@testable import Roost

/// A trace context that is read is written as it came, as far as its version is known, and is never all zeroes.
func fuzzTrace(_ bytes: [UInt8]) throws {
    guard let context = bytes.withUnsafeBufferPointer({ TraceContext($0) }) else { return }
    let text = Array(context.traceparent.utf8)
    try same(Array(bytes[2..<53]), Array(text[2..<53]), "a trace context, and what is written")
    try same(context.traceID.utf8.allSatisfy { $0 == 0x30 }, false, "a trace without an id")
    try same(bytes[0..<2].elementsEqual("ff".utf8), false, "a version that is not one")
}
