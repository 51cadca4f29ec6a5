// Forget the new vectors: they are set.
MATCH (m:Meta) WHERE m.name STARTS WITH 'late/' DELETE m
