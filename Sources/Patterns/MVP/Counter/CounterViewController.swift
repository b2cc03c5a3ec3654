import PatternCore
import PatternScreens
import Roost

/// The view: a number, and a button.
final class CounterViewController: CounterView {
    static let path = Path("/patterns/mvp/counter")

    private let navigation: Navigation
    private let model: CounterModel

    init(_ navigation: Navigation, model: CounterModel) {
        self.navigation = navigation
        self.model = model
    }

    func viewDidLoad() {
        CounterPresenter(view: self, model: model).updateView()
    }

    func incrementButtonTapped() {
        trace()
        CounterPresenter(view: self, model: model).handleIncrement()
    }

    func render(_ value: String) {
        trace()
        var page = CounterPage()
        page.count = value
        navigation.show("counter", page)
    }
}
