/// Something that is told when a loop's turn is over; see ``EventLoop/afterTurn(_:)``.
package protocol TurnObserver: AnyObject {
    /// The turn is over, and the loop is about to wait.
    func turnEnded()
}
