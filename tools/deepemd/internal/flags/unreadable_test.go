package flags

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// Report names all images where the output is no terminal, counts them, and begins again.
func TestReportOfUnreadable(t *testing.T) {
	var u Unreadable
	x := u.Extraction(evaluate.Extraction{})
	for i := range 7 {
		x.LeaveOut(&data.Damaged{Name: fmt.Sprint(i), Err: errors.New("cut off")})
	}
	var out strings.Builder
	if taken := u.Report(&out); len(taken) != 7 || strings.Count(out.String(), "cut off") != 7 || strings.Contains(out.String(), "more") {
		t.Errorf("%d taken, printed %s", len(taken), out.String())
	}
	if again := u.Report(&out); len(again) != 0 || u.Count != 7 {
		t.Errorf("%d taken again, %d in all", len(again), u.Count)
	}
}
