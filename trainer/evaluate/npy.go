package evaluate

import (
	"fmt"
	"io"

	"github.com/deepemd/deepemd/internal/arrays"
	"github.com/deepemd/deepemd/internal/tensor"
)

// WriteNPY writes the logits as a NumPy array of float32, [episodes, queries,
// way]. It returns an error when there are none or episodes differ in their number
// of queries, and those of w.
func (r *Result) WriteNPY(w io.Writer) error {
	queries := 0
	if len(r.Logits) > 0 {
		queries = len(r.Logits[0]) / r.Way
	}
	all := tensor.New(len(r.Logits), queries, r.Way)
	for i, logits := range r.Logits {
		if len(logits) != queries*r.Way {
			return fmt.Errorf("episode %d has %d queries, the first has %d: logits of episodes that differ fit in no array", i+1, len(logits)/r.Way, queries)
		}
		copy(all.Row(i), logits)
	}
	array, err := arrays.Dense(all)
	if err != nil {
		return err
	}
	return arrays.WriteNPY(w, array)
}
