// Package evaluate has the verbs that measure: eval, eval retrieval, reproduce and
// conformance.
package evaluate
