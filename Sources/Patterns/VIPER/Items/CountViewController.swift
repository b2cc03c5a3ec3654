import PatternCore
import PatternScreens

/// The view of an item.
final class CountViewController: ViewController, CountViewProtocol {
    private(set) var page = CardPage(title: "", buttons: [.detail, .next])
    private let presenter: any CountPresenterProtocol

    init(presenter: any CountPresenterProtocol) {
        self.presenter = presenter
    }

    func viewDidLoad() {
        presenter.loadData()
    }

    func showNext() {
        trace()
        presenter.showNext()
    }

    func showDetail() {
        trace()
        presenter.showDetail()
    }

    func setTitle(_ title: String) {
        trace()
        page.title = title
    }

    func setMessage(_ message: String) {
        trace()
        page.text = message
    }

    func setError(_ message: String) {
        trace()
        page.errorMessage = message
    }
}
