/// The coordinator as a view model knows it: it is told the visitor's wish, and finds the way itself.
protocol UserCoordinatorDelegate: AnyObject {
    func goToDetail()
    func pushNext()
}
