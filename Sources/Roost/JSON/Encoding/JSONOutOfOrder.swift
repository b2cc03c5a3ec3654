/// The error that ends an `encode(to:)` that has written out of order.
struct JSONOutOfOrder: Error {}
