// swift-tools-version: 6.2

import Foundation
import PackageDescription

let language: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// Options of debug builds for those who build the framework once and then edit code that uses it. Whoever works on the
/// framework sets `DEBUG_ROOST`: then only edited files are compiled again, and a debugger knows the framework's lines.
func quick(_ options: String...) -> [SwiftSetting] {
    Context.environment["DEBUG_ROOST"] == nil ? [.unsafeFlags(options, .when(configuration: .debug))] : []
}

/// Debug information takes a sixth of a build's processor time.
let withoutLines = quick("-Xfrontend", "-gnone")

/// A module that is compiled as a whole takes a third less processor time than one in batches of files, but keeps only
/// one processor busy.
let asWhole = quick("-disable-batch-mode", "-whole-module-optimization", "-num-threads", "4")

/// All other modules wait for the largest one, so it is compiled in batches, by all processors.
let largeSettings = language + withoutLines
let settings = largeSettings + asWhole

/// Nobody imports a module of tests, so no job of its own emits its interface. Each macro adds a buffer, and the
/// compiler sorts all buffers of a process again and again: so the largest module, `RoostTests`, is compiled in four
/// parts, where the compiler cannot do without that job.
let testSettings = language + asWhole + quick("-no-emit-module-separately-wmo")
let largeTestSettings = language + quick("-driver-batch-count", "4")

/// The framework's folders, each with its own README.
let rooms = [
    "Bytes", "Calendar", "Clients", "Configuration", "Connection", "Description", "Encoding", "EventLoop", "Files",
    "Forms", "Headers", "Health", "HTTP", "HTTP1", "Jobs", "JSON", "Languages", "Lists", "Live", "LivePages",
    "Logging", "Metrics", "Middleware", "Negotiation", "Reload", "Routing", "Server", "Sessions", "Streams",
    "Templates", "Timeline", "Views", "WebSocket", "WebSocketSession", "Window",
]

/// The patterns of the gallery with their features, each a module of its own: nearly all have a `LoginViewController`.
let patterns = [
    "MVC": ["Login", "Label"], "MVP": ["Login", "Counter"], "MVPR": ["Label"], "MVVM": ["Login"],
    "MVVMC": ["Login", "User"], "VIPER": ["Login", "Items"],
]
let patternModules = patterns.keys.sorted().map { Target.Dependency.target(name: "Pattern" + $0) }

let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
/// Spans, for whoever switches the trait on; the package is fetched and built only then.
let tracing = Target.Dependency.product(
    name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"]))
let metrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")

let package = Package(
    name: "Roost",
    products: [
        .library(name: "Roost", targets: ["Roost"]),
        .library(name: "RoostSQL", targets: ["RoostSQL"]),
        .library(name: "RoostSQLite", targets: ["RoostSQLite"]),
        .library(name: "RoostPostgres", targets: ["RoostPostgres"]),
        .library(name: "RoostAuth", targets: ["RoostAuth"]),
        .library(name: "RoostAuthCommands", targets: ["RoostAuthCommands"]),
        .library(name: "RoostJobs", targets: ["RoostJobs"]),
        .library(name: "RoostCommands", targets: ["RoostCommands"]),
        .library(name: "RoostHTTPClient", targets: ["RoostHTTPClient"]),
        .library(name: "RoostMail", targets: ["RoostMail"]),
        .library(name: "RoostTLS", targets: ["RoostTLS"]),
        .library(name: "RoostTLSCommands", targets: ["RoostTLSCommands"]),
        .library(name: "RoostTesting", targets: ["RoostTesting"]),
        .executable(name: "App", targets: ["App"]),
    ],
    traits: [
        .trait(name: "Tracing", description: "Requests, statements, templates and jobs as spans of a tracer."),
        .trait(name: "WholeModules", description: "Without effect; older packages name it."),
    ],
    dependencies: [
        // Exact versions, because no Package.resolved is committed.
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", exact: "1.7.3"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
    ],
    targets: [
        .systemLibrary(name: "CLibevent", pkgConfig: "libevent_core", providers: [.apt(["libevent-dev"])]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CCmark", pkgConfig: "libcmark-gfm", providers: [.apt(["libcmark-gfm-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CNghttp2", pkgConfig: "libnghttp2", providers: [.apt(["libnghttp2-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .target(
            name: "Roost",
            dependencies: ["CLibevent", "CLinux", "CZlib", httpTypes, logging, metrics, tracing],
            exclude: ["README.md"] + rooms.map { "\($0)/README.md" },
            swiftSettings: largeSettings
        ),
        .target(
            name: "RoostSQL",
            dependencies: ["Roost", logging, metrics],
            exclude: ["README.md"],
            swiftSettings: settings
        ),
        .target(
            name: "RoostSQLite",
            dependencies: ["CSQLite", "Roost", "RoostSQL", logging],
            exclude: ["README.md"],
            swiftSettings: settings
        ),
        .target(
            name: "RoostPostgres",
            dependencies: ["CPostgres", "Roost", "RoostSQL", logging],
            exclude: ["README.md"],
            swiftSettings: settings
        ),
        .target(
            name: "RoostAuth",
            dependencies: ["CSodium", "Roost", "RoostSQL", httpTypes, logging],
            exclude: ["README.md", "Passwords/common-passwords.license"],
            resources: [.embedInCode("Migrations")],
            swiftSettings: settings
        ),
        .target(
            name: "RoostJobs",
            dependencies: ["Roost", "RoostSQL", logging, metrics],
            exclude: ["README.md"],
            swiftSettings: settings
        ),
        .target(
            name: "RoostCommands",
            dependencies: [
                "Roost", "RoostJobs", "RoostSQL", logging,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            exclude: ["README.md"],
            swiftSettings: settings
        ),
        .target(
            name: "RoostAuthCommands",
            dependencies: ["Roost", "RoostAuth", "RoostCommands", "RoostSQL"],
            exclude: ["README.md"],
            swiftSettings: settings
        ),
        .target(
            name: "RoostHTTPClient",
            dependencies: ["CCurl", "Roost", httpTypes, metrics],
            exclude: ["README.md"],
            swiftSettings: settings
        ),
        .target(
            name: "RoostMail",
            dependencies: ["CCurl", "Roost", "RoostJobs", "RoostSQL", httpTypes, logging],
            exclude: ["README.md"],
            swiftSettings: settings
        ),
        .target(
            name: "RoostTLS",
            dependencies: [
                "CNghttp2", "COpenSSL", "Roost", "RoostHTTPClient", "RoostSQL", httpTypes, logging, metrics,
            ],
            exclude: ["README.md"],
            swiftSettings: settings
        ),
        .target(
            name: "RoostTLSCommands",
            dependencies: ["Roost", "RoostCommands", "RoostTLS"],
            exclude: ["README.md"],
            swiftSettings: settings
        ),
        .target(
            name: "RoostTesting",
            dependencies: ["Roost", httpTypes, logging, metrics],
            exclude: ["README.md"],
            swiftSettings: settings
        ),
        .target(
            name: "Manual",
            dependencies: ["CCmark", "Roost"],
            exclude: ["README.md"],
            swiftSettings: settings
        ),
        .target(name: "PatternCore", path: "Sources/Patterns/Core", swiftSettings: settings),
        .target(
            name: "PatternScreens",
            dependencies: ["PatternCore", "Roost"],
            path: "Sources/Patterns/Screens",
            swiftSettings: settings
        ),
        .target(
            name: "Patterns",
            dependencies: ["PatternCore", "PatternScreens", "Roost"] + patternModules,
            path: "Sources/Patterns/Gallery",
            swiftSettings: settings,
            plugins: ["EmbeddedSources"]
        ),
        .plugin(name: "EmbeddedSources", capability: .buildTool(), path: "Sources/Patterns/Embedding"),
        .executableTarget(
            name: "App",
            dependencies: [
                "Manual", "Patterns", "Roost", "RoostAuth", "RoostAuthCommands", "RoostCommands", "RoostHTTPClient",
                "RoostJobs",
                "RoostMail", "RoostPostgres", "RoostSQL", "RoostSQLite", "RoostTLS", "RoostTLSCommands", httpTypes,
                logging,
            ],
            exclude: ["README.md"],
            resources: [.embedInCode("Migrations")],
            swiftSettings: language
        ),
        .executableTarget(name: "Hello", dependencies: ["Roost"], path: "Tests/Hello", swiftSettings: settings),
        .executableTarget(
            name: "UserSite",
            dependencies: ["Roost"],
            path: "Tests/UserSite",
            exclude: ["Templates"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "Chat",
            dependencies: ["Roost"],
            path: "Tests/Chat",
            exclude: ["Templates", "public"],
            swiftSettings: settings
        ),
        .executableTarget(name: "Develop", dependencies: ["Roost"], swiftSettings: settings),
        .executableTarget(
            name: "BenchmarkServer",
            dependencies: ["Roost", "RoostTLS", logging],
            swiftSettings: settings
        ),
        .target(name: "CAllocations", path: "Tests/Allocations/CAllocations"),
        .executableTarget(
            name: "Allocations",
            dependencies: [
                "CAllocations", "PatternCore", "Patterns", "Roost", "RoostSQL", "RoostSQLite", "RoostTesting", logging,
            ],
            path: "Tests/Allocations",
            exclude: ["CAllocations"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "RoostTests",
            dependencies: [
                "CLibevent", "CLinux", "CZlib", "Chat", "Develop", "Processes", "Roost", "RoostSQL", "RoostTesting",
                "UserSite", httpTypes, logging, metrics,
            ],
            swiftSettings: largeTestSettings
        ),
        .testTarget(
            name: "RoostHTTPClientTests",
            dependencies: ["Processes", "Roost", "RoostHTTPClient", "RoostTesting", httpTypes, metrics],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "RoostTLSTests",
            dependencies: [
                "CNghttp2", "COpenSSL", "Engines", "Processes", "Roost", "RoostHTTPClient", "RoostSQL", "RoostSQLite",
                "RoostTLS",
                "RoostTesting", httpTypes, logging, metrics,
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "RoostMailTests",
            dependencies: [
                "Processes", "Roost", "RoostAuth", "RoostJobs", "RoostMail", "RoostSQL", "RoostSQLite", "RoostTesting",
                httpTypes,
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "RoostSQLTests",
            dependencies: [
                "Engines", "Roost", "RoostSQL", "RoostSQLite", "RoostTesting", logging,
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "RoostJobsTests",
            dependencies: [
                "Engines", "Processes", "Roost", "RoostJobs", "RoostPostgres", "RoostSQL", "RoostSQLite",
                "RoostTesting", logging, metrics,
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "RoostSQLiteTests",
            dependencies: ["Roost", "RoostSQL", "RoostSQLite", "RoostTesting", httpTypes, logging],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "RoostAuthTests",
            dependencies: [
                "Processes", "Roost", "RoostAuth", "RoostPostgres", "RoostSQL", "RoostSQLite", "RoostTesting",
                httpTypes, logging,
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "RoostCommandsTests",
            dependencies: [
                "Roost", "RoostAuth", "RoostAuthCommands", "RoostCommands", "RoostJobs", "RoostSQL", "RoostSQLite",
                "RoostTesting",
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "AppTests",
            dependencies: [
                "App", "Manual", "PatternCore", "PatternScreens", "Patterns", "Processes", "Roost", "RoostAuth",
                "RoostCommands",
                "RoostHTTPClient", "RoostJobs",
                "RoostMail",
                "RoostPostgres", "RoostSQL", "RoostSQLite", "RoostTesting", httpTypes, logging,
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "PatternsTests",
            dependencies: ["App", "PatternCore", "PatternScreens", "Patterns", "Roost", "RoostTesting", httpTypes]
                + patternModules,
            swiftSettings: testSettings
        ),
        .target(
            name: "Engines",
            dependencies: ["Processes", "RoostPostgres", "RoostSQL", "RoostSQLite", logging],
            path: "Tests/Engines",
            swiftSettings: settings
        ),
        .target(
            name: "Processes", dependencies: ["CLinux", "RoostTesting"], path: "Tests/Processes",
            swiftSettings: settings),
        .testTarget(
            name: "RoostPostgresTests",
            dependencies: ["Chat", "Processes", "Roost", "RoostPostgres", "RoostSQL", "RoostTesting", logging],
            swiftSettings: testSettings
        ),
    ]
)

package.targets += patterns.sorted { $0.key < $1.key }.map { pattern, features in
    .target(
        name: "Pattern" + pattern,
        dependencies: ["PatternCore", "PatternScreens", "Roost"],
        path: "Sources/Patterns/" + pattern,
        exclude: [pattern + ".svg"] + features.map { "\($0)/\($0).svg" },
        swiftSettings: settings
    )
}

// Only `scripts/costs` builds this: it uses internals of the framework in a release build.
if Context.environment["ROOST_COSTS"] != nil {
    package.targets.removeAll { $0.type == .test }
    package.targets.append(
        .executableTarget(
            name: "Costs",
            dependencies: ["Roost", "RoostSQL", httpTypes],
            path: "Tests/Costs",
            swiftSettings: settings
        )
    )
}

// Only a benchmark of jobs builds this.
if Context.environment["ROOST_JOBBENCH"] != nil {
    package.targets.removeAll { $0.type == .test }
    package.targets.append(
        .executableTarget(
            name: "JobBench",
            dependencies: ["Roost", "RoostJobs", "RoostPostgres", "RoostSQL", "RoostSQLite", logging],
            path: "Tests/JobBench",
            swiftSettings: settings
        )
    )
}

// Only `scripts/fuzz` builds this: it is linked with the fuzzer, and shares its sources with the tests.
if Context.environment["ROOST_FUZZ"] != nil {
    package.targets.removeAll { $0.type == .test }
    package.targets.append(
        .executableTarget(
            name: "Fuzz",
            dependencies: ["Roost", "RoostSQL", httpTypes],
            path: "Tests/Fuzz",
            exclude: ["Corpus"],
            swiftSettings: settings
        )
    )
}

// Names of targets are unique in all packages together, so those that nobody else uses are left out of a package that
// gets Roost by its URL. SwiftPM has it in `checkouts` then, beside the `repositories` that it has cloned.
if Context.packageDirectory.split(separator: "/").dropLast().last == "checkouts",
    FileManager.default.fileExists(atPath: Context.packageDirectory + "/../../repositories")
{
    package.products.removeAll { $0.name == "App" }
    let kept = Set(package.products.map(\.name))
    package.targets.removeAll { $0.type != .system && !kept.contains($0.name) }
}
