// Importing Roost also imports what its own declarations name: methods, statuses and header names are
// swift-http-types', loggers are swift-log's, dates and identifiers are FoundationEssentials'.
@_exported public import HTTPTypes
@_exported public import Logging

@_exported public import struct FoundationEssentials.Date
@_exported public import struct FoundationEssentials.UUID
