import PatternCore
import PatternScreens
import Roost

/// The entry of the label: which path leads to which screen of the router.
struct LabelScene: Controller {
    func routes(_ routes: Routes) {
        for (path, isDismissed) in [(LabelRouter.label, false), (LabelRouter.dismissed, true)] {
            routes.get(path) { request in
                try await request.navigate { LabelRouter($0).makeLabel(isDismissed: isDismissed).viewDidLoad() }
            }
            routes.post(path) { request in
                try await request.navigate { LabelRouter($0).makeLabel(isDismissed: isDismissed).nextButtonTapped() }
            }
        }
        routes.get(LabelRouter.detail) { request in
            try await request.navigate { LabelRouter($0).makeDetail().viewDidLoad() }
        }
        routes.post(LabelRouter.detail) { request in
            try await request.navigate { LabelRouter($0).makeDetail().dismissButtonTapped() }
        }
    }
}
