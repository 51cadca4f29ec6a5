// Add to the document frequencies of five words: at once, since what costs most of a small statement is to run it at all.
// param text0: TERM
// param note_df0: INT64
// param message_df0: INT64
// param text1: TERM
// param note_df1: INT64
// param message_df1: INT64
// param text2: TERM
// param note_df2: INT64
// param message_df2: INT64
// param text3: TERM
// param note_df3: INT64
// param message_df3: INT64
// param text4: TERM
// param note_df4: INT64
// param message_df4: INT64
MATCH (t0:Term {key: $text0}),
      (t1:Term {key: $text1}),
      (t2:Term {key: $text2}),
      (t3:Term {key: $text3}),
      (t4:Term {key: $text4})
SET t0.note_df = t0.note_df + $note_df0, t0.message_df = t0.message_df + $message_df0,
    t1.note_df = t1.note_df + $note_df1, t1.message_df = t1.message_df + $message_df1,
    t2.note_df = t2.note_df + $note_df2, t2.message_df = t2.message_df + $message_df2,
    t3.note_df = t3.note_df + $note_df3, t3.message_df = t3.message_df + $message_df3,
    t4.note_df = t4.note_df + $note_df4, t4.message_df = t4.message_df + $message_df4
