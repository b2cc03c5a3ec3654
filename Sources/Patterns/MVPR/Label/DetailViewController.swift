import PatternCore
import PatternScreens

/// The view of the detail.
final class DetailViewController: ViewController, DetailPresenterOutput {
    private(set) var page = CardPage(title: "Detail", buttons: [.dismiss])
    private let presenter: any DetailPresenterInput

    init(presenter: any DetailPresenterInput) {
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
        page.text = text
    }
}
