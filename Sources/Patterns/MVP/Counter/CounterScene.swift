import PatternScreens
import Roost

/// The entry of the counter: it finds the visitor's model, and keeps it after a press.
struct CounterScene: Controller {
    func routes(_ routes: Routes) {
        routes.get(CounterViewController.path) { request in
            try await request.navigate { navigation in
                let presenter = CounterPresenter(model: model(of: navigation))
                CounterViewController(navigation, presenter: presenter).viewDidLoad()
            }
        }
        routes.post(CounterViewController.path) { request in
            try await request.navigate { navigation in
                let model = model(of: navigation)
                CounterViewController(navigation, presenter: CounterPresenter(model: model)).incrementButtonTapped()
                navigation.visitor["counter"] = "\(model.value)"
            }
        }
    }

    /// The model of a visitor's counter, which lives as long as the visit.
    private func model(of navigation: Navigation) -> CounterModel {
        CounterModel(value: navigation.visitor["counter"].flatMap { Int($0) } ?? 0)
    }
}
