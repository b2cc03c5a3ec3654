/// A value that is no data but a function, for those who read the tape and know it.
protocol TapeFunction: Encodable {}
