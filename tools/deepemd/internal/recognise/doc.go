// Package recognise has the verbs that tell pictures and sounds apart or find them:
// classify, project, explain, index and search.
package recognise
