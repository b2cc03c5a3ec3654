extension Duration {
    /// The seconds, as fields and the clock of connections count them: a part of a second counts as a whole one.
    package var wholeSeconds: Int {
        let (seconds, attoseconds) = components
        return Int(attoseconds > 0 && seconds < .max ? seconds + 1 : seconds)
    }

    /// The whole nanoseconds; as many as there can be, if it is longer than 292 years.
    package var wholeNanoseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000) }

    /// The whole milliseconds; of a very long time, so many that a few of them can be added.
    package var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        let limit = Int64.max / 4000
        return Int(max(-limit, min(limit, seconds)) * 1000 + attoseconds / 1_000_000_000_000_000)
    }

    /// Returns a number of minutes of 60 seconds.
    public static func minutes(_ minutes: some BinaryInteger) -> Duration { .seconds(60) * minutes }

    /// Returns a number of hours of 3,600 seconds.
    public static func hours(_ hours: some BinaryInteger) -> Duration { .seconds(3600) * hours }
}
