import PatternCore
import PatternScreens

/// The view of the detail.
final class DetailViewController: DetailPresenterOutput {
    private let navigation: Navigation
    private let presenter: any DetailPresenterInput

    init(_ navigation: Navigation, presenter: any DetailPresenterInput) {
        self.navigation = navigation
        self.presenter = presenter
    }

    func viewDidLoad() {
        presenter.initialLoading()
    }

    func dismissButtonTapped() {
        trace()
        presenter.backAction()
    }

    func showDetail(withText text: String) {
        trace()
        var page = CardPage(title: "Detail", buttons: [.dismiss])
        page.text = text
        navigation.show("card", page)
    }
}
