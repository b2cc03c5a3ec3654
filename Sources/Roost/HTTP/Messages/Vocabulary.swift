// Whoever imports Roost has with it what its own declarations name: methods, statuses and header names are
// swift-http-types', loggers swift-log's, dates and identifiers FoundationEssentials'.
@_exported public import HTTPTypes
@_exported public import Logging

@_exported public import struct FoundationEssentials.Date
@_exported public import struct FoundationEssentials.UUID
