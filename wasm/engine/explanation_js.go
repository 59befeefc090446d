package main

import (
	"syscall/js"

	"github.com/deepemd/deepemd/core/explain"
	"github.com/deepemd/deepemd/core/learner"
)

// explanation is what wasm/npm/explanation.js makes objects of. Everything that
// is many crosses as one array.
func explanation(e *learner.Explanation) js.Value {
	out := newObject()
	out.Set("classId", e.ClassID)
	out.Set("label", e.Label)
	out.Set("exampleId", e.ExampleID)
	out.Set("score", e.Score)
	out.Set("total", e.Total)
	out.Set("temperature", e.Temperature)
	out.Set("query", floatsOf(nodes(e.From)))
	out.Set("support", floatsOf(nodes(e.To)))
	out.Set("similarity", floatsOf(narrow(e.Similarity)))
	out.Set("flow", floatsOf(narrow(e.Flow)))
	return out
}

// nodes lists each node's region and weight.
func nodes(side explain.Side) []float32 {
	var list []float32
	for i, r := range side.Regions {
		list = append(list, r.X0, r.Y0, r.X1, r.Y1, float32(side.Weights[i]))
	}
	return list
}

func narrow(values []float64) []float32 {
	list := make([]float32, len(values))
	for i, v := range values {
		list[i] = float32(v)
	}
	return list
}

// optional reads a string; undefined gives "".
func optional(v js.Value) string {
	if v.IsUndefined() {
		return ""
	}
	return v.String()
}
