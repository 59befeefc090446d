// Package gallery finds the pictures of a gallery that resemble a query: image
// retrieval by optimal matching, as in DeepEMD's experiments. A global feature, the
// mean of a picture's nodes or the network's summary of it, chooses candidates by cosine;
// the Earth Mover's Distance between the sets of nodes ranks them.
//
// A gallery lies in memory ([Memory]), or in an index ([Index], written by [Writer]): the
// bytes of one file, which grows. Global features take a byte a channel there, nodes two
// bits a channel beside a codebook; they are read where they lie, so a file may be mapped
// or fetched. [Searcher] answers queries, also while the file grows.
//
// Files are the callers' (tools/deepemd/internal/indexfile opens an index by its path).
// How well pictures are found is measured in trainer/evaluate.
package gallery
