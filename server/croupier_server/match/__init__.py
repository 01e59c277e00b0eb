"""One match: spec, keys, referee, record and verification, and the codec between them and the protos."""
