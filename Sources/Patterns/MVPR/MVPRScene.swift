import PatternScreens
package import Roost

/// The entry of MVP with a router: which path leads to which screen of the router.
package struct MVPRScene: Controller {
    package init() {}

    package func routes(_ routes: Routes) {
        for (path, isDismissed) in [(LabelRouter.label, false), (LabelRouter.dismissed, true)] {
            routes.get(path) { request in
                try await request.navigate({ LabelRouter($0).showLabel(isDismissed: isDismissed) }) { $0.viewDidLoad() }
            }
            routes.post(path) { request in
                try await request.navigate({ LabelRouter($0).showLabel(isDismissed: isDismissed) }) {
                    $0.nextButtonTapped()
                }
            }
        }
        routes.get(LabelRouter.detail) { request in
            try await request.navigate({ LabelRouter($0).showDetail() }) { $0.viewDidLoad() }
        }
        routes.post(LabelRouter.detail) { request in
            try await request.navigate({ LabelRouter($0).showDetail() }) { $0.dismissButtonTapped() }
        }
    }
}
