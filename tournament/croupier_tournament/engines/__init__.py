"""Who runs matches: a function from a MatchOrder to a record. The local engine does it on this machine."""
