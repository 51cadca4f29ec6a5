// Forget the new vectors: they are set.
MATCH (v:LateVector) DELETE v
