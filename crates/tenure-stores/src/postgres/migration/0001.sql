-- What is stored. Keys are compared byte by byte, whatever the database's language: a listing is in that order.
-- A renewal replaces one row again and again: the free half of each block keeps that from growing the index.
CREATE TABLE records (
    key text COLLATE "C" PRIMARY KEY,
    version text COLLATE "C" NOT NULL,
    value bytea NOT NULL
) WITH (fillfactor = 50);
