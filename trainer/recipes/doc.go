// Package recipes holds the settings of the project's own training runs: what
// `deepemd train … --recipe NAME` reads. Each file says what it reached; README.md
// compares them. What the settings mean is in trainer/training/pretrain and
// trainer/training/internal/meta, the runs themselves are in trainer/results.
package recipes
