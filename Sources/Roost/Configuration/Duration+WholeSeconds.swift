extension Duration {
    /// The seconds, as fields and the clock of connections count them: a part of a second counts as a whole one.
    package var wholeSeconds: Int {
        let (seconds, attoseconds) = components
        return Int(attoseconds > 0 && seconds < .max ? seconds + 1 : seconds)
    }
}
