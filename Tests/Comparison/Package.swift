// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that nobody who uses Roost resolves the packages that it is compared with. `scripts/compare`
// builds it.
let package = Package(
    name: "Comparison",
    dependencies: [
        .package(name: "Roost", path: "../.."),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
    ],
    targets: [
        .executableTarget(
            name: "Comparison",
            dependencies: [
                .product(name: "Roost", package: "Roost"),
                .product(name: "Mustache", package: "swift-mustache"),
            ],
            path: "Sources",
            swiftSettings: [.treatAllWarnings(as: .error)]
        )
    ]
)
