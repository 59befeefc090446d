// Package explain says why two pictures are as similar as their match found: which
// region of one was matched with which region of the other, how much weight each
// node carried, and how much each pair added to the score (the figures of DeepEMD
// that show its matching).
//
// It holds only data and geometry, for the page that draws live and for the command
// that draws files. Nothing here draws, reads or encodes.
package explain
