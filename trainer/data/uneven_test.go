package data

import (
	"fmt"
	"strings"
	"testing"
)

// TestKeep: classes of an episode have the numbers of examples that they are to have,
// in their order, and the same queries.
func TestKeep(t *testing.T) {
	even := Episode{
		Support: []string{"a/1", "b/1", "c/1", "a/2", "b/2", "c/2", "a/3", "b/3", "c/3"},
		Query:   []string{"a/4", "b/4", "c/4"},
	}
	uneven := even.Keep([]int{1, 9, 2})
	classes, err := uneven.ByClass(3)
	if got, want := fmt.Sprint(classes), "[[a/1] [b/1 b/2 b/3] [c/1 c/2]]"; err != nil || got != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
	if fmt.Sprint(uneven.Query) != fmt.Sprint(even.Query) || even.Support[3] != "a/2" {
		t.Errorf("%v of %v: want the same queries, and the episode as it was", uneven, even)
	}
	for want, e := range map[string]Episode{
		"8 support pictures do not make 3 classes": {Support: even.Support[:8]},
		"0 support pictures":                       {},
		"class 2 of an episode has no support":     even.Keep([]int{1, 0, 2}),
	} {
		if _, err := e.ByClass(3); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
}
