-- A user's answers that are being made, on whichever node. One whose node went away runs out; whoever makes it moves the end.

CREATE TABLE chat_seats (
    id BLOB NOT NULL PRIMARY KEY,
    user_id BLOB NOT NULL REFERENCES project_users (id) ON DELETE CASCADE,
    ends_at BIGINT NOT NULL
);
CREATE INDEX chat_seats_of_user ON chat_seats (user_id);
