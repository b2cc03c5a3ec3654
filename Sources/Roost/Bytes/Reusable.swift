/// Memory that serves one piece of work after another, such as the text that an encoder writes.
protocol Reusable: AnyObject {
    /// Forgets the last piece of work.
    /// - Returns: Whether the next one can use it.
    func clear() -> Bool
    /// Lets go of what refers to it, so that its memory is released.
    func letGo()
}
