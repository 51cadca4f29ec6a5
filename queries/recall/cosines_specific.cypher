// Cosines of all specific situations to the parts of a structured question.
// param tags: VECTOR
// param narrative: VECTOR
// param location_name: VECTOR
// param location_coordinates: VECTOR
// param participant_name: VECTOR
// param participant_role: VECTOR
// param atmosphere: VECTOR
// param tone: VECTOR
// param event_action: VECTOR
// param event_initiator: VECTOR
// param event_target: VECTOR
// column id: STRING
// column tags: DOUBLE
// column narrative: DOUBLE
// column location_name: DOUBLE
// column location_coordinates: DOUBLE
// column participant_name: DOUBLE
// column participant_role: DOUBLE
// column atmosphere: DOUBLE
// column tone: DOUBLE
// column event_action: DOUBLE
// column event_initiator: DOUBLE
// column event_target: DOUBLE
// column time_start: TIMESTAMP
// column time_end: TIMESTAMP
MATCH (note:SpecificSituation)
WHERE note.active
RETURN note.id AS id,
       array_cosine_similarity(note.v_tags, $tags) AS tags,
       array_cosine_similarity(note.v_narrative, $narrative) AS narrative,
       array_cosine_similarity(note.v_location_name, $location_name) AS location_name,
       array_cosine_similarity(note.v_location_coordinates, $location_coordinates) AS location_coordinates,
       array_cosine_similarity(note.v_participant_name, $participant_name) AS participant_name,
       array_cosine_similarity(note.v_participant_role, $participant_role) AS participant_role,
       array_cosine_similarity(note.v_atmosphere, $atmosphere) AS atmosphere,
       array_cosine_similarity(note.v_tone, $tone) AS tone,
       array_cosine_similarity(note.v_event_action, $event_action) AS event_action,
       array_cosine_similarity(note.v_event_initiator, $event_initiator) AS event_initiator,
       array_cosine_similarity(note.v_event_target, $event_target) AS event_target,
       note.time_start AS time_start,
       note.time_end AS time_end
ORDER BY id
