// Package measure is the folder of what says how good a network is; it holds no code
// itself. Results lie apart, in trainer/results.
//
//   - evaluate: accuracy over few-shot episodes, and how strangers are found out
//   - reproduce: the paper's tables with a network and pictures of one's own
//   - retrieval: how well pictures of a class are found in a gallery
//   - conformance: agreement with the published implementation
//   - figure: matches, drawn as the paper draws them
package measure
