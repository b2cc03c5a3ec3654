extension Duration {
    /// The seconds, as fields and the clock of connections count them: a part of a second counts as a whole one.
    package var wholeSeconds: Int {
        let (seconds, attoseconds) = components
        return Int(attoseconds > 0 && seconds < .max ? seconds + 1 : seconds)
    }

    /// Returns a number of minutes of 60 seconds.
    public static func minutes(_ minutes: some BinaryInteger) -> Duration { .seconds(60) * minutes }

    /// Returns a number of hours of 3,600 seconds.
    public static func hours(_ hours: some BinaryInteger) -> Duration { .seconds(3600) * hours }
}
