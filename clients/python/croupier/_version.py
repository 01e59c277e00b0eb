"""The version of this SDK. No logic: it must be cheap to import."""

VERSION = "0.1.0"
