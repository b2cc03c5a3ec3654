/// What presenters can ask the interactor for.
protocol CountInteractorInput: AnyObject {
    func findItem(withIndex index: Int)
    func findNextItem(currentIndex: Int)
}
