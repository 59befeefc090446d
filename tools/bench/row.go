package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// row is one line of the result, with a peer or without.
type row struct {
	what   string
	ours   float64
	unit   string
	note   string
	peer   string
	theirs float64
}

// side measures once, in milliseconds.
type side func() (float64, error)

// settle is the time in milliseconds at the beginning of a turn that does not count: threads of the
// previous side may still spin, and an idle processor needs time to reach its full clock.
const settle = 60

// compare measures the sides in turn, after a warm-up round, and returns their medians.
func (b *bench) compare(sides ...side) ([]float64, error) {
	times := make([][]float64, len(sides))
	for round := range b.repetitions + 1 {
		for i, measure := range sides {
			ms, err := turn(measure)
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

// turn measures until the turn has settled, and returns the last time.
func turn(measure side) (float64, error) {
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
	measure side
}

// against adds a row for each peer, or one without a peer. The function note, if not nil, derives a
// note from our time in milliseconds.
func (b *bench) against(what string, ours side, note func(ms float64) string, peers ...peerSide) error {
	sides := []side{ours}
	var present []peerSide
	for _, p := range peers {
		if p.measure != nil {
			present = append(present, p)
			sides = append(sides, p.measure)
		}
	}
	medians, err := b.compare(sides...)
	if err != nil {
		return err
	}
	r := row{what: what, ours: medians[0], unit: "ms"}
	if note != nil {
		r.note = note(medians[0])
	}
	if len(present) == 0 {
		b.rows = append(b.rows, r)
	}
	for i, p := range present {
		r.peer, r.theirs = p.name, medians[i+1]
		b.rows = append(b.rows, r)
	}
	return nil
}

func printRows(w io.Writer, rows []row) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		fmt.Fprintf(t, "  %s\t%.2f %s\t%s\t", r.what, r.ours, r.unit, r.note)
		if r.peer != "" {
			fmt.Fprintf(t, "%s %.2f %s\tratio %.2f", r.peer, r.theirs, r.unit, r.ours/r.theirs)
		}
		fmt.Fprintln(t)
	}
	t.Flush()
}
