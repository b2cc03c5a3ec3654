extension Duration {
    /// So many minutes, of 60 seconds each.
    public static func minutes(_ minutes: some BinaryInteger) -> Duration { .seconds(60) * minutes }

    /// So many hours, of 3,600 seconds each.
    public static func hours(_ hours: some BinaryInteger) -> Duration { .seconds(3600) * hours }
}
