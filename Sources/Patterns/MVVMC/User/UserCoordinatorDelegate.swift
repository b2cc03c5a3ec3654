/// What a view model can tell its coordinator: what the visitor wants, and not how one gets there.
protocol UserCoordinatorDelegate: AnyObject {
    func goToDetail()
    func pushNext()
}
