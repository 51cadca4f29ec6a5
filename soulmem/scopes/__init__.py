"""Who may know what: scopes, those who were present, confidences; and a mind as it is seen from one of them (SPEC §9)."""
