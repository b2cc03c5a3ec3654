import PatternCore

/// The presenter: a press counts, and the view shows the new number.
final class CounterPresenter {
    weak var view: (any CounterView)?
    private let model: CounterModel

    init(model: CounterModel) {
        self.model = model
    }

    func handleIncrement() {
        trace()
        model.increment()
        updateView()
    }

    func updateView() {
        view?.render("\(model.value)")
    }
}
