// The scopes in which the lines of a chat were heard.
// param chat: STRING
// column scope: STRING
MATCH (message:Message) WHERE message.chat = $chat
RETURN DISTINCT message.scope AS scope ORDER BY scope
