import PatternCore
import PatternScreens
import Roost

/// The view: a number, and a button.
final class CounterViewController: ViewController, CounterView {
    static let path = Path("/patterns/mvp/counter")

    private(set) var page = CounterPage()
    private let presenter: CounterPresenter

    init(presenter: CounterPresenter) {
        self.presenter = presenter
        presenter.view = self
    }

    func viewDidLoad() {
        presenter.updateView()
    }

    func incrementButtonTapped() {
        trace()
        presenter.handleIncrement()
    }

    func render(_ value: String) {
        trace()
        page.count = value
    }
}
