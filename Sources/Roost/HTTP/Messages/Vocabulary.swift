// Whoever imports Roost has the vocabulary with it: methods, statuses and header names are swift-http-types'.
@_exported public import HTTPTypes
