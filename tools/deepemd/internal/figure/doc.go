// Package figure draws what a match of two pictures found, as the figures of
// DeepEMD do: each picture rebuilt of the other's best patches, the flow between
// nodes, their weights.
//
// What is drawn comes from an explain.Explanation; this room holds the drawing:
// text, shapes, scaled patches and the layout of a page. It reads and writes no
// files.
package figure
