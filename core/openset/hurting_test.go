package openset

import (
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/internal/require"
)

func TestHurtingAreTheOnesInTheWrongClass(t *testing.T) {
	a := func(d float32) *embed.Set { return set(1, d, 0, 0.1) }
	b := func(d float32) *embed.Set { return set(d, 0, 1, -0.2) }
	classes := []fewshot.Class{
		{Name: "a", Support: []*embed.Set{a(0.1), a(0.2), b(0.15), a(0), b(0.25), a(0.3)}},
		{Name: "b", Support: []*embed.Set{b(0.1), b(0.3), b(0), b(0.2)}},
	}
	leftOut := func(classes []fewshot.Class) *LeftOut {
		t.Helper()
		l := require.Value(LeaveOneOut(&fewshot.Prototype{}, classes, nil))(t)
		return l
	}
	hurting := func(classes []fewshot.Class, l *LeftOut, tries int) []Harm {
		t.Helper()
		margins := make([]float64, len(l.Class))
		for i := range margins {
			margins[i], _ = l.Margin(i)
		}
		hurting := require.Value(FindHarmful(&fewshot.Prototype{}, classes, l, margins, tries, nil))(t)
		return hurting
	}
	l := leftOut(classes)
	both := hurting(classes, l, 10)
	if len(both) != 2 || both[0].Example+both[1].Example != 2+4 || both[1].Gain <= 0 || both[0].Gain < both[1].Gain {
		t.Fatalf("hurting %+v; want examples 2 and 4, the more harmful first", both)
	}
	if one := hurting(classes, l, 1); len(one) != 1 {
		t.Errorf("one try finds %+v", one)
	}
	// The gain equals the difference between two complete computations.
	at := both[0].Example
	without := []fewshot.Class{{Name: "a", Support: slices.Delete(slices.Clone(classes[0].Support), at, at+1)}, classes[1]}
	if gain := leftOut(without).meanMargin(-1) - l.meanMargin(at); gain != both[0].Gain {
		t.Errorf("gain %v, without the example it is %v", both[0].Gain, gain)
	}
	// No example is harmful if all are classified correctly, even if one differs a lot.
	good := []fewshot.Class{{Name: "a", Support: []*embed.Set{a(0.1), a(0.2), a(0), a(0.9)}}, classes[1]}
	if found := hurting(good, leftOut(good), 10); len(found) != 0 {
		t.Errorf("among examples that are all recognized %+v are said to hurt", found)
	}
}
