// Package retrieval finds the pictures of a gallery that resemble a query
// (DeepEMD's experiments on image retrieval): a global feature, the mean of a
// picture's nodes, chooses candidates by cosine, and the Earth Mover's Distance
// between the sets of nodes ranks them.
//
// A gallery lies in memory ([Memory]), or in an index file ([Open], [Writer]) that
// is too large for it. [Searcher] answers queries, [Evaluate] measures how well on
// pictures whose classes are known, by the measures of Musgrave, Belongie and Lim
// ("A Metric Learning Reality Check").
package retrieval
