// Add to the document frequencies of five words: at once, since what costs most of a small statement is to run it at all.
// param text0: STRING
// param note_df0: INT64
// param message_df0: INT64
// param text1: STRING
// param note_df1: INT64
// param message_df1: INT64
// param text2: STRING
// param note_df2: INT64
// param message_df2: INT64
// param text3: STRING
// param note_df3: INT64
// param message_df3: INT64
// param text4: STRING
// param note_df4: INT64
// param message_df4: INT64
MATCH (t0:Term {text: $text0}),
      (t1:Term {text: $text1}),
      (t2:Term {text: $text2}),
      (t3:Term {text: $text3}),
      (t4:Term {text: $text4})
SET t0.note_df = t0.note_df + $note_df0, t0.message_df = t0.message_df + $message_df0,
    t1.note_df = t1.note_df + $note_df1, t1.message_df = t1.message_df + $message_df1,
    t2.note_df = t2.note_df + $note_df2, t2.message_df = t2.message_df + $message_df2,
    t3.note_df = t3.note_df + $note_df3, t3.message_df = t3.message_df + $message_df3,
    t4.note_df = t4.note_df + $note_df4, t4.message_df = t4.message_df + $message_df4
