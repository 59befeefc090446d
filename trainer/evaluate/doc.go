// Package evaluate measures a network and a classifier by the field's protocol:
// the mean accuracy over many few-shot episodes, with a 95% confidence interval
// (DeepEMD, section 4).
//
// A picture occurs in many episodes, so evaluation has two steps: Extract
// embeds every picture once, Run classifies the queries of each episode with
// what was extracted. Results depend neither on the number of threads nor on
// the order in which episodes end.
package evaluate
