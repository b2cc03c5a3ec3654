extension Duration {
    /// Returns a number of minutes of 60 seconds.
    public static func minutes(_ minutes: some BinaryInteger) -> Duration { .seconds(60) * minutes }

    /// Returns a number of hours of 3,600 seconds.
    public static func hours(_ hours: some BinaryInteger) -> Duration { .seconds(3600) * hours }
}
