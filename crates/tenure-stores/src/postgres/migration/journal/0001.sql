-- Who may write to a journal, and how far it has come. Every append replaces one row: the free half of each block keeps that
-- from growing the index. opened is the number of the present author's fence.
CREATE TABLE journal_fence (
    journal text COLLATE "C", shard bigint, lineage bytea NOT NULL, epoch bigint NOT NULL, run bytea NOT NULL,
    opened bigint NOT NULL, last bigint NOT NULL, start bigint NOT NULL, PRIMARY KEY (journal, shard)
) WITH (fillfactor = 50);

-- A row for each record. A fence, and an entry without records, is one row without a body. Who wrote an entry and when stands
-- in its first row; an adoption has the lineage that it takes over as the body of its row, without a version. Keys are any text,
-- so they are bytes here.
CREATE TABLE journal_entry (
    journal text COLLATE "C", shard bigint, seq bigint, n integer, lineage bytea, epoch bigint, run bytea, at bigint,
    kind smallint, key bytea, version integer, body bytea, PRIMARY KEY (journal, shard, seq, n)
);
CREATE INDEX journal_entry_by_key ON journal_entry (journal, shard, key, seq, n) WHERE key IS NOT NULL;

-- Snapshots, parts and blobs are the user's own bytes, often compressed: doing it again would only take time.
CREATE TABLE journal_snapshot (
    journal text COLLATE "C", shard bigint, upto bigint NOT NULL, epoch bigint NOT NULL, run bytea NOT NULL,
    at bigint NOT NULL, state bytea NOT NULL, PRIMARY KEY (journal, shard)
);
ALTER TABLE journal_snapshot ALTER COLUMN state SET STORAGE EXTERNAL;
CREATE TABLE journal_part (
    journal text COLLATE "C", shard bigint, key bytea, seq bigint NOT NULL, at bigint NOT NULL, state bytea NOT NULL,
    PRIMARY KEY (journal, shard, key)
);
ALTER TABLE journal_part ALTER COLUMN state SET STORAGE EXTERNAL;
CREATE TABLE journal_blob (name text COLLATE "C" PRIMARY KEY, bytes bytea NOT NULL);
ALTER TABLE journal_blob ALTER COLUMN bytes SET STORAGE EXTERNAL;
