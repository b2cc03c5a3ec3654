/// A keyed container of any type of key: a place on the tape.
class PlacedTapeObject {
    /// A tape outlives all use of its containers: their cell is 0 outside of that.
    final let tape: Unmanaged<ValueTape>
    /// The object's cell; 0 while nobody may write.
    @exclusivity(unchecked) final var cell: UInt32 = 0

    init(_ tape: ValueTape) { self.tape = .passUnretained(tape) }

    /// The error for writing after the value was encoded, or where there is another value.
    final var misuse: any Error {
        EncodingError.invalidValue(
            (), .init(codingPath: [], debugDescription: "A container was used after its value had been encoded."))
    }
}
