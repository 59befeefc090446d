// Package retrieval measures how well pictures of the same class are found among
// all of a gallery (DeepEMD's experiments on image retrieval), by the measures of
// Musgrave, Belongie and Lim ("A Metric Learning Reality Check"). Galleries and
// search are core/gallery.
package evaluate
