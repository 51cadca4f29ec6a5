// Create a message.
// param id: STRING
// param chat: STRING
// param index: INT64
// param file: STRING
// param line: INT64
// param speaker: STRING
// param role: STRING
// param text: STRING
// param sent_at: TIMESTAMP?
// param hidden: BOOL
// param session: INT64
// param scope: STRING
// param present: STRING[]
// param kept_from: STRING[]
// param fingerprint: STRING
// param length: INT64
// param v_text: VECTOR?
CREATE (:Message {
    id: $id, chat: $chat, `index`: $index, file: $file, line: $line, speaker: $speaker, role: $role, text: $text,
    sent_at: $sent_at, hidden: $hidden, session: $session, scope: $scope, present: $present, kept_from: $kept_from, fingerprint: $fingerprint, length: $length, v_text: $v_text})
