-- What the store says of itself: the oldest build that can work with it, as the number of the newest migration that such a build knows. A
-- migration that older builds cannot work with sets it to its own number. Nodes write `room` now and then to see whether the store can be written.
CREATE TABLE store_state (
    id           BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    oldest_build BIGINT NOT NULL,
    room         BLOB
);
INSERT INTO store_state (id, oldest_build) VALUES (1, 26);
