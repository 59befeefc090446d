package openset

import (
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
)

func TestWorstIsTheOneInTheWrongClass(t *testing.T) {
	a := func(d float32) *embed.Set { return set(1, d, 0, 0.1) }
	b := func(d float32) *embed.Set { return set(d, 0, 1, -0.2) }
	classes := []fewshot.Class{
		{Name: "a", Support: []*embed.Set{a(0.1), a(0.2), b(0.15), a(0)}},
		{Name: "b", Support: []*embed.Set{b(0.1), b(0.3), b(0)}},
	}
	l, err := LeaveOneOut(&fewshot.Prototype{}, classes)
	if err != nil {
		t.Fatal(err)
	}
	worst, ok, err := Worst(&fewshot.Prototype{}, classes, l, 10)
	if err != nil || !ok || worst.Example != 2 || worst.Gain <= 0 {
		t.Fatalf("worst %+v, %v, %v; want example 2 and a gain", worst, ok, err)
	}
	// The gain is what leaving it out altogether gives.
	without := []fewshot.Class{{Name: "a", Support: []*embed.Set{a(0.1), a(0.2), a(0)}}, classes[1]}
	after, err := LeaveOneOut(&fewshot.Prototype{}, without)
	if err != nil {
		t.Fatal(err)
	}
	if gain := after.meanMargin(-1) - l.meanMargin(2); gain != worst.Gain {
		t.Errorf("gain %v, without the example it is %v", worst.Gain, gain)
	}
	l2, err := LeaveOneOut(&fewshot.Prototype{}, without)
	if err != nil {
		t.Fatal(err)
	}
	if worst, ok, _ := Worst(&fewshot.Prototype{}, without, l2, 10); ok && worst.Gain > 2 {
		t.Errorf("among good examples %+v is said to hurt much", worst)
	}
}
