struct JSONArrangement {
    init(_ l: JSONCoder.Layout) {}; func arrange(_ b: UnsafeBufferPointer<UInt8>, into: ByteBuffer) {}
}
