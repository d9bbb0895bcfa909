"""Ranks the texts of a collection for each query with SQLite's FTS5, and with tantivy where Python has it.

Reads {"texts": [[title, body], ...], "queries": [...]} from standard input, and writes {peer: [[number of a text, ...], ...]}.
"""

import json
import re
import sqlite3
import sys

DEPTH = 10


def with_fts5(texts, queries):
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE texts USING fts5(title, body, tokenize='porter unicode61')")
    db.executemany("INSERT INTO texts(rowid, title, body) VALUES (?, ?, ?)", [(at, *text) for at, text in enumerate(texts)])
    ask = "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts, 2.0, 1.0) LIMIT ?"

    def hits(query):
        words = re.findall(r"\w+", query)
        match = " OR ".join(f'"{word}"' for word in words)
        return [row for (row,) in db.execute(ask, (match, DEPTH))] if words else []

    return [hits(query) for query in queries]


def with_tantivy(texts, queries):
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("number", stored=True)
    for field in ("title", "body"):
        builder.add_text_field(field, tokenizer_name="en_stem")
    index = tantivy.Index(builder.build())
    writer = index.writer(50_000_000, 1)
    for at, (title, body) in enumerate(texts):
        writer.add_document(tantivy.Document(number=at, title=[title], body=[body]))
    writer.commit()
    index.reload()
    searcher = index.searcher()

    def hits(query):
        words = " ".join(re.findall(r"\w+", query)).lower()
        parsed, _ = index.parse_query_lenient(words, ["title", "body"], {"title": 2.0, "body": 1.0})
        return [searcher.doc(address)["number"][0] for _, address in searcher.search(parsed, DEPTH).hits]

    return [hits(query) for query in queries]


collection = json.load(sys.stdin)
ranked = {"SQLite FTS5, porter": with_fts5(**collection)}
try:
    ranked["tantivy, en_stem"] = with_tantivy(**collection)
except ImportError:
    print("Python has no tantivy, so it is left out: pip install tantivy", file=sys.stderr)
json.dump(ranked, sys.stdout)
