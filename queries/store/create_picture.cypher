// Keep a picture.
// param id: STRING
// param data: STRING
CREATE (:Picture {id: $id, data: $data})
