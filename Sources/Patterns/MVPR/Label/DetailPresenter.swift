import PatternCore

/// The presenter of the detail: it loads the text from the repository.
final class DetailPresenter: DetailPresenterInput {
    weak var userInterface: (any DetailPresenterOutput)?
    private let router: any LabelRouting
    private let repository: DetailRepository

    init(router: any LabelRouting, repository: DetailRepository) {
        self.router = router
        self.repository = repository
    }

    func initialLoading() {
        trace()
        userInterface?.showDetail(withText: repository.loadData().name)
    }

    func backAction() {
        trace()
        router.dismissDetail()
    }
}
