package main

import (
	"fmt"
	"slices"
)

// measurement measures once, in milliseconds.
type measurement func() (float64, error)

// settle is the time in milliseconds at the beginning of a turn that does not count: threads of the
// previous side may still spin, and an idle processor needs time to reach its full clock.
const settle = 60

// compare measures the sides in turn, after a warm-up round, and returns their medians.
func (b *bench) compare(sides ...measurement) ([]float64, error) {
	times := make([][]float64, len(sides))
	for round := range b.repetitions + 1 {
		for i, measure := range sides {
			ms, err := settledTime(measure)
			if err != nil {
				return nil, err
			}
			if round > 0 {
				times[i] = append(times[i], ms)
			}
		}
	}
	medians := make([]float64, len(sides))
	for i, t := range times {
		slices.Sort(t)
		medians[i] = t[len(t)/2]
	}
	return medians, nil
}

// settledTime measures until the turn has settled, and returns the last time.
func settledTime(measure measurement) (float64, error) {
	for spent := 0.; ; {
		ms, err := measure()
		if err != nil || spent >= settle {
			return ms, err
		}
		if spent += ms; ms >= settle {
			return ms, nil
		}
	}
}

// peerSide is a peer. Its measure is nil if the peer is missing.
type peerSide struct {
	name    string
	measure measurement
}

// against prints a row for each peer, or one without a peer. The function note, if not nil, derives a
// note from our time in milliseconds.
func (b *bench) against(what string, ours measurement, note func(ms float64) string, peers ...peerSide) error {
	peers = slices.DeleteFunc(peers, func(p peerSide) bool { return p.measure == nil })
	sides := []measurement{ours}
	for _, p := range peers {
		sides = append(sides, p.measure)
	}
	medians, err := b.compare(sides...)
	if err != nil {
		return err
	}
	noted := ""
	if note != nil {
		noted = note(medians[0])
	}
	if len(peers) == 0 {
		printRow(what, medians[0], "ms", noted)
	}
	for i, p := range peers {
		theirs := medians[i+1]
		printRow(what, medians[0], "ms", fmt.Sprintf("%-15s %s %.2f ms, ratio %.2f", noted, p.name, theirs, medians[0]/theirs))
	}
	return nil
}

func printRow(what string, figure float64, unit, note string) {
	fmt.Printf("  %-54s %9.2f %s  %s\n", what, figure, unit, note)
}
