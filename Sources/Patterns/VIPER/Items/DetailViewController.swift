import PatternCore
import PatternScreens

/// The view of the detail.
final class DetailViewController: ViewController, DetailViewProtocol {
    private(set) var page = CardPage(title: "Detail", buttons: [.cancel])
    private let presenter: any DetailPresenterProtocol

    init(presenter: any DetailPresenterProtocol) {
        self.presenter = presenter
    }

    func viewDidLoad() {
        presenter.populateView()
    }

    func dismissAction() {
        trace()
        presenter.dismiss()
    }

    func setMessage(_ message: String) {
        trace()
        page.text = message
    }
}
