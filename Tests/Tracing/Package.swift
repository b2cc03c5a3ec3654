// swift-tools-version: 6.2

// Roost with the trait `Tracing`: what a tracer sees of it. The trait is off elsewhere:
// swift test --package-path Tests/Tracing --scratch-path .build/tracing

import PackageDescription

/// The name of the folder that Roost is in, by which SwiftPM knows a package with a path.
let roost = Context.packageDirectory.split(separator: "/").dropLast(2).last.map { String($0) } ?? "roost"

let package = Package(
    name: "Tracing",
    dependencies: [
        .package(path: "../..", traits: ["Tracing", "WholeModules"]),
        .package(url: "https://github.com/apple/swift-distributed-tracing", exact: "1.7.3"),
    ],
    targets: [
        .testTarget(
            name: "TracingTests",
            dependencies: [
                .product(name: "RoostHTTPClient", package: roost), .product(name: "RoostJobs", package: roost),
                .product(name: "RoostSQLite", package: roost), .product(name: "RoostTesting", package: roost),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: []
        )
    ]
)
