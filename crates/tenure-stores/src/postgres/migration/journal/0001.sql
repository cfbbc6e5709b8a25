-- Who may write to a journal, and how far it has come. Every append replaces one row: the free half of each block keeps that
-- from growing the index. opened is the number of the present author's fence.
CREATE TABLE journal_fence (
    journal text COLLATE "C", shard bigint, lineage bytea NOT NULL, epoch bigint NOT NULL, run bytea NOT NULL,
    opened bigint NOT NULL, last bigint NOT NULL, start bigint NOT NULL, PRIMARY KEY (journal, shard)
) WITH (fillfactor = 50);

-- A row for each record. A fence, and an entry without records, is one row without a body. Who wrote an entry and when stands
-- in its first row. Keys are any text, so they are bytes here; an index holds only their beginning, for its rows are short.
CREATE TABLE journal_entry (
    journal text COLLATE "C", shard bigint, seq bigint, n integer, epoch bigint, run bytea, at bigint, kind smallint,
    key bytea, version integer, body bytea, PRIMARY KEY (journal, shard, seq, n)
);
CREATE INDEX journal_entry_by_key ON journal_entry (journal, shard, substr(key, 1, 256), seq, n) WHERE key IS NOT NULL;

-- Snapshots are the user's own bytes, often compressed: doing it again would only take time.
CREATE TABLE journal_snapshot (
    journal text COLLATE "C", shard bigint, upto bigint NOT NULL, epoch bigint NOT NULL, run bytea NOT NULL,
    at bigint NOT NULL, state bytea NOT NULL, PRIMARY KEY (journal, shard)
);
ALTER TABLE journal_snapshot ALTER COLUMN state SET STORAGE EXTERNAL;
