package evaluate_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/sbinet/npyio/npy"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

func TestWriteNPY(t *testing.T) {
	var file bytes.Buffer
	result := evaluate.Result{Way: 2, Logits: [][]float32{{1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}}}
	require.NoError(t, result.WriteNPY(&file))
	if n := file.Len() - 12*4; n%64 != 0 {
		t.Errorf("values begin at byte %d, want a multiple of 64", n)
	}
	r := require.Value(npy.NewReader(&file))(t)
	if want := []int{2, 3, 2}; !reflect.DeepEqual(r.Header.Descr.Shape, want) {
		t.Errorf("shape %v, want %v", r.Header.Descr.Shape, want)
	}
	var got []float32
	require.NoError(t, r.Read(&got))
	if want := []float32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}; !reflect.DeepEqual(got, want) {
		t.Errorf("values %v, want %v", got, want)
	}

	result.Logits[1] = result.Logits[1][:4]
	if err := result.WriteNPY(&file); err == nil || !strings.Contains(err.Error(), "episode 2 has 2 queries") {
		t.Errorf("episodes that differ: got error %v", err)
	}
}
