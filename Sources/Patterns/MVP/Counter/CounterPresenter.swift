import PatternCore

/// The presenter: a press counts, and the view shows the new number.
final class CounterPresenter {
    private weak let view: (any CounterView)?
    private let model: CounterModel

    init(view: any CounterView, model: CounterModel) {
        self.view = view
        self.model = model
    }

    func handleIncrement() {
        trace()
        model.increment()
        updateView()
    }

    func updateView() {
        trace()
        view?.render("\(model.value)")
    }
}
