// Package vectors is what an index and a store of vectors tell each other. The
// index gives its global features away, as Parquet and as NumPy's arrays ([Folder],
// [Parquet]); a store such as PostgreSQL with pgvector, or Qdrant, chooses candidates
// among them, which come back as a list ([ParseCandidates]) to be ranked by matching.
//
// A picture's number in its index is its id: it stays while the index grows, and is
// not given to another picture after a deletion.
package vectors
