package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// recorded returns a side that notes its name and has the given times, one after the other.
func recorded(calls *[]string, name string, times ...float64) measurement {
	return func() (float64, error) {
		*calls = append(*calls, name)
		ms := times[0]
		times = times[1:]
		return ms, nil
	}
}

// Sides take turns. The first round does not count, nor do the first 60 ms of a turn.
func TestCompare(t *testing.T) {
	var calls []string
	b := bench{repetitions: 3}
	medians := require.Value(b.compare(
		recorded(&calls, "long", 900, 100, 60, 80),
		recorded(&calls, "short", 30, 30, 1, 30, 30, 5, 59, 1, 9, 20, 40, 7),
	))(t)
	if !slices.Equal(medians, []float64{80, 7}) {
		t.Errorf("medians %v, want 80 and 7", medians)
	}
	if got, want := strings.Join(calls, " "), strings.TrimSpace(strings.Repeat("long short short short ", 4)); got != want {
		t.Errorf("measured %s, want %s", got, want)
	}
	failed := errors.New("failed")
	if _, err := b.compare(func() (float64, error) { return 0, failed }); !errors.Is(err, failed) {
		t.Errorf("error %v, want that of the side", err)
	}
}

// A row for each peer has its ratio; without peers, there is one row.
func Example_against() {
	b := bench{repetitions: 1}
	always := func(ms float64) measurement { return func() (float64, error) { return ms, nil } }
	note := func(ms float64) string { return fmt.Sprintf("%.0f a second", 1000/ms) }
	fmt.Println("rows:")
	_ = b.against("one task", always(100), note, peerSide{"slow", always(400)}, peerSide{name: "missing"}, peerSide{"fast", always(80)})
	_ = b.against("another", always(250), nil, peerSide{"even", always(250)})
	_ = b.against("a third", always(250), note, peerSide{name: "missing"})
	// Output:
	// rows:
	//   one task                                                  100.00 ms  10 a second     slow 400.00 ms, ratio 0.25
	//   one task                                                  100.00 ms  10 a second     fast 80.00 ms, ratio 1.25
	//   another                                                   250.00 ms                  even 250.00 ms, ratio 1.00
	//   a third                                                   250.00 ms  4 a second
}
