package data_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/trainer/data"
)

func TestSample(t *testing.T) {
	var pictures []data.Picture
	for class, n := range map[string]int{"owl": 9, "fox": 5} {
		for i := range n {
			pictures = append(pictures, data.Picture{Class: class, Name: fmt.Sprintf("%s/%d", class, i)})
		}
	}
	set, err := data.NamesOnly("birds", pictures, "")
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	classes := []string{"owl", "fox"}
	all, labels, err := set.Sample(classes, 0, 1)
	if err != nil || len(all) != 14 || all[0] != "owl/0" || all[13] != "fox/4" || labels[8] != 0 || labels[9] != 1 {
		t.Errorf("all: %v of %v, error %v", all, labels, err)
	}
	three, labels, err := set.Sample(classes, 3, 1)
	if err != nil || !slices.Equal(labels, []int{0, 0, 0, 1, 1, 1}) || !slices.IsSorted(three[:3]) || !slices.IsSorted(three[3:]) {
		t.Errorf("three each: %v of %v, error %v", three, labels, err)
	}
	if again, _, _ := set.Sample(classes, 3, 1); !slices.Equal(again, three) {
		t.Errorf("the same seed draws %v, then %v", three, again)
	}
	if _, _, err := set.Sample(classes, 6, 1); err == nil || !strings.Contains(err.Error(), "class fox has 5 pictures") {
		t.Errorf("six each: %v", err)
	}
	if got := set.ClassesOf([]string{"owl/3", "fox/0", "owl/1", "bat/0"}); !slices.Equal(got, []string{"fox", "owl"}) {
		t.Errorf("classes %v", got)
	}
}
