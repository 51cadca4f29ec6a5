// Step 1: the tables of a mind. Never edited after release: a change is a new numbered step.
// Vector columns are not here: their length belongs to the embedder (see vectors.cypher).

// What the mind knows of itself: embedder, baseline, settings; which steps of this folder were applied (schema/<step>). Values are
// JSON text. late/<table>/<column>/<note> holds, for a moment, the new vector of a note that was there: the engine loses vectors of
// rows that are created before the same checkpoint (FLOAT[N] columns of Kùzu 0.11.3), so they are set in a transaction of their own.
CREATE NODE TABLE Meta(name STRING PRIMARY KEY, value STRING);

// Notes. The envelope (id … length) is the same in all four tables. origins: where in which file a note was read (file:line).
// What there may be several of is a struct of lists of one length, not a list of structs: once a checkpoint has seen a list of
// structs (or of lists) that is empty in all rows, Kùzu 0.11.3 loses what is written to it afterwards. Numbers in lists are kept
// as text: of DOUBLE[] and FLOAT[] it loses some, where they are added beside many that are alike (FLOAT[N] is safe).
// revised_…: what is believed since a model guessed what was forgotten, and the missing degree then; null where none did.
CREATE NODE TABLE Semantic(
    id STRING PRIMARY KEY, key STRING, tags STRING[], retrieval_count INT64, created_at TIMESTAMP, last_accessed_at TIMESTAMP,
    strength DOUBLE, decayed_at TIMESTAMP, due_at TIMESTAMP, pinned BOOL, core BOOL, active BOOL, asleep BOOL, scope STRING,
    kept_from STRING[], origins STRING[], length INT64,
    content STRING, aliases STRING[], concept_type STRING, description STRING, category STRING,
    valid_from TIMESTAMP, valid_until TIMESTAMP,
    revised_content STRING, revised_description STRING, revised_missing DOUBLE);
CREATE NODE TABLE SpecificSituation(
    id STRING PRIMARY KEY, key STRING, tags STRING[], retrieval_count INT64, created_at TIMESTAMP, last_accessed_at TIMESTAMP,
    strength DOUBLE, decayed_at TIMESTAMP, due_at TIMESTAMP, pinned BOOL, core BOOL, active BOOL, asleep BOOL, scope STRING,
    kept_from STRING[], origins STRING[], length INT64,
    narrative STRING, time_start TIMESTAMP, time_end TIMESTAMP,
    location STRUCT(name STRING, coordinates STRING),
    participants STRUCT(name STRING[], role STRING[]),
    emotions STRUCT(name STRING[], intensity STRING[]),
    sensory_data STRUCT(name STRING[], intensity STRING[]),
    environment STRUCT(atmosphere STRING, tone STRING),
    event STRUCT(action STRING[], action_intensity STRING[], initiator STRING[], target STRING[]),
    revised_narrative STRING, revised_missing DOUBLE);
// kind says which of the four structs is filled.
CREATE NODE TABLE AbstractSituation(
    id STRING PRIMARY KEY, key STRING, tags STRING[], retrieval_count INT64, created_at TIMESTAMP, last_accessed_at TIMESTAMP,
    strength DOUBLE, decayed_at TIMESTAMP, due_at TIMESTAMP, pinned BOOL, core BOOL, active BOOL, asleep BOOL, scope STRING,
    kept_from STRING[], origins STRING[], length INT64,
    kind STRING,
    location STRUCT(name STRING, coordinates STRING),
    participant STRUCT(name STRING, role STRING),
    environment STRUCT(atmosphere STRING, tone STRING),
    event STRUCT(action STRING, action_intensity DOUBLE, initiator STRING, target STRING));
CREATE NODE TABLE Procedure(
    id STRING PRIMARY KEY, key STRING, tags STRING[], retrieval_count INT64, created_at TIMESTAMP, last_accessed_at TIMESTAMP,
    strength DOUBLE, decayed_at TIMESTAMP, due_at TIMESTAMP, pinned BOOL, core BOOL, active BOOL, asleep BOOL, scope STRING,
    kept_from STRING[], origins STRING[], length INT64,
    content STRING, action_type STRING);
// Keys are unique over all four note tables: this table is the proof.
CREATE NODE TABLE NoteKey(key STRING PRIMARY KEY, id STRING, type STRING);

// Conversations as they were read.
CREATE NODE TABLE Chat(id STRING PRIMARY KEY, file STRING, format STRING, sha256 STRING, messages INT64, ingested_at TIMESTAMP);
CREATE NODE TABLE Message(
    id STRING PRIMARY KEY, chat STRING, index INT64, file STRING, line INT64, speaker STRING, role STRING, text STRING,
    sent_at TIMESTAMP, hidden BOOL, scope STRING, present STRING[], kept_from STRING[], session INT64, fingerprint STRING, length INT64);

// Links between notes.
CREATE REL TABLE Sem(
    FROM Semantic TO Semantic, FROM Semantic TO SpecificSituation, FROM Semantic TO AbstractSituation, FROM Semantic TO Procedure,
    FROM SpecificSituation TO Semantic, FROM AbstractSituation TO Semantic, FROM Procedure TO Semantic,
    id STRING, intensity DOUBLE, created_at TIMESTAMP, last_fired_at TIMESTAMP, fired_count INT64, verb STRING, confidence DOUBLE);
CREATE REL TABLE Proc(
    FROM SpecificSituation TO Procedure, FROM AbstractSituation TO Procedure,
    id STRING, intensity DOUBLE, created_at TIMESTAMP, last_fired_at TIMESTAMP, fired_count INT64, prob DOUBLE);
CREATE REL TABLE Situation(
    FROM SpecificSituation TO SpecificSituation, FROM SpecificSituation TO AbstractSituation,
    FROM AbstractSituation TO SpecificSituation, FROM AbstractSituation TO AbstractSituation,
    id STRING, intensity DOUBLE, created_at TIMESTAMP, last_fired_at TIMESTAMP, fired_count INT64, variant STRING);
// Links whose target (or source) is not there yet. payload is JSON text.
CREATE NODE TABLE PendingLink(
    id STRING PRIMARY KEY, source_key STRING, target_key STRING, type STRING, payload STRING, intensity DOUBLE,
    created_at TIMESTAMP, last_fired_at TIMESTAMP, fired_count INT64, place STRING);

// Facts that hold no longer, and what holds instead: from the new one to the old one, since when, and why.
CREATE REL TABLE SUPERSEDES(FROM Semantic TO Semantic, at TIMESTAMP, reason STRING);

// Provenance: which messages a note was drawn from; place is the rank of the message among the note's sources.
CREATE REL TABLE SOURCE(
    FROM Semantic TO Message, FROM SpecificSituation TO Message, FROM AbstractSituation TO Message, FROM Procedure TO Message,
    place INT64);

// Words: BM25 is computed over these. note_df and message_df count the notes and the messages a term occurs in. key: the text, filled
// up where Kùzu 0.11.3 would hash it badly (soulmem/store/keys.py).
CREATE NODE TABLE Term(key STRING PRIMARY KEY, text STRING, note_df INT64, message_df INT64);
CREATE REL TABLE OCCURS(
    FROM Term TO Semantic, FROM Term TO SpecificSituation, FROM Term TO AbstractSituation, FROM Term TO Procedure,
    FROM Term TO Message, tf INT64);
// Names and aliases, case-folded, to find in a question what the mind has a name for.
CREATE NODE TABLE Name(text STRING PRIMARY KEY);
CREATE REL TABLE NAMES(FROM Name TO Semantic);

// What was recalled, when, for which question.
CREATE NODE TABLE Recall(id STRING PRIMARY KEY, at TIMESTAMP, query STRING);
CREATE REL TABLE RECALLED(
    FROM Recall TO Semantic, FROM Recall TO SpecificSituation, FROM Recall TO AbstractSituation, FROM Recall TO Procedure,
    stage STRING, score DOUBLE);

// The journal: one Operation per write transaction. before and after are JSON text
// (before packed where it is long). undoes: the number of the one taken back.
CREATE NODE TABLE Operation(
    number INT64 PRIMARY KEY, at TIMESTAMP, command STRING, what STRING, before STRING, after STRING, undoes INT64);

// Vectors of texts that were embedded, so that none is computed twice. id is "<embedder>/<side>/<sha256 of the text>"; vector is
// Base64 of little-endian 32-bit floats.
CREATE NODE TABLE Embedding(id STRING PRIMARY KEY, vector STRING);

// Pictures of the card that the mind keeps (a value of Meta says what each is the picture of), apart from Meta, whose values are
// written anew with every change of one of them. id is the SHA-256 of the picture; data has its bytes as text of the private use
// area, in which no word stands by chance (soulmem.ingest.cards.pictures).
CREATE NODE TABLE Picture(id STRING PRIMARY KEY, data STRING);
