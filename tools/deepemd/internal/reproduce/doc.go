// Package reproduce measures what the tables of DeepEMD (Zhang, Cai, Lin, Shen,
// "DeepEMD: Differentiable Earth Mover's Distance for Few-Shot Learning") measure,
// with a network and pictures of one's own, and sets the paper's figures beside it.
//
// A table is rows and columns, and each cell is one [Setting]: a method and the
// episodes that it classifies. A [Lab] measures them one after the other and keeps
// each in a file as soon as it is there, so that a run that was stopped goes on
// where it was. Pictures are embedded once, for all tables, and kept between runs.
//
// The paper's figures are in paper.csv, for every cell that both have.
package reproduce
