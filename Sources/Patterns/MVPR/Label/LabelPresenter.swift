import PatternCore

/// The presenter of the label. It asks the router to go on, so it needs no view controllers.
final class LabelPresenter: LabelPresenterInput {
    weak var userInterface: (any LabelPresenterOutput)?
    private let router: any LabelRouting
    private let isDismissed: Bool

    /// - Parameter isDismissed: Whether the detail has just been dismissed, which the label then says.
    init(router: any LabelRouting, isDismissed: Bool) {
        self.router = router
        self.isDismissed = isDismissed
    }

    func initialLoading() {
        trace()
        userInterface?.setupLabel(text: isDismissed ? "Dismissed" : "Home")
    }

    func goToDetail() {
        trace()
        router.goToDetail()
    }
}
