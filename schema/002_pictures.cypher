// Step 2: pictures that cards brought, in a table of their own: values of Meta are written anew with every change of any of them.

// A picture of the card that the mind keeps (a value of Meta, which says what it is the picture of). id is the SHA-256 of its bytes;
// data has them as text of the private use area, in which no word can be found by chance (soulmem.ingest.cards.pictures).
CREATE NODE TABLE Picture(id STRING PRIMARY KEY, data STRING);
