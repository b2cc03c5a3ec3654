import PatternCore
import PatternScreens
import Roost

/// The view: a number, and a button.
final class CounterViewController: CounterView {
    static let path = Path("/patterns/mvp/counter")

    private let navigation: Navigation
    private let presenter: CounterPresenter

    init(_ navigation: Navigation, presenter: CounterPresenter) {
        self.navigation = navigation
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
        var page = CounterPage()
        page.count = value
        navigation.show("counter", page)
    }
}
