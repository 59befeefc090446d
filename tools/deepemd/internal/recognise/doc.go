// Package recognise has the verbs that tell pictures and sounds apart or find them:
// classify, project, explain, index, unindex, search, vector and rerank.
package recognise
