package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// row is one line of the result. Ratio is ours/theirs of times: below 1 we are
// faster.
type row struct {
	What   string  `json:"what"`
	Ours   float64 `json:"ours"`
	Unit   string  `json:"unit"`
	Note   string  `json:"note,omitempty"`
	Peer   string  `json:"peer,omitempty"`
	Theirs float64 `json:"theirs,omitempty"`
	Ratio  float64 `json:"ratio,omitempty"`
}

// side measures once, in milliseconds.
type side func() (float64, error)

// settle is how many milliseconds of a turn do not count: the threads of the side before
// may still wait for more work by turning in circles, and a processor that waited itself
// takes a while to be fast again.
const settle = 60

// compare lets ours and the peers take turns, after a round that does not count,
// and returns each one's median; ours comes first.
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

// turn measures until a turn has settled, and returns the time that counts.
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

// peerSide is a peer's name and how it measures; nil for one that is left out.
type peerSide struct {
	name    string
	measure side
}

// against adds a row of ours and a row for each peer. note tells more of our
// time, in milliseconds; nil for nothing. Rows that were not asked for are passed
// over.
func (b *bench) against(what string, ours side, note func(ms float64) string, peers ...peerSide) error {
	if !strings.Contains(what, b.match) {
		return nil
	}
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
	r := row{What: what, Ours: medians[0], Unit: "ms"}
	if note != nil {
		r.Note = note(medians[0])
	}
	if len(present) == 0 {
		b.rows = append(b.rows, r)
	}
	for i, p := range present {
		r.Peer, r.Theirs, r.Ratio = p.name, medians[i+1], medians[0]/medians[i+1]
		b.rows = append(b.rows, r)
	}
	return nil
}

func printRows(w io.Writer, rows []row) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		fmt.Fprintf(t, "  %s\t%.2f %s\t%s\t", r.What, r.Ours, r.Unit, r.Note)
		if r.Peer != "" {
			fmt.Fprintf(t, "%s %.2f %s\tratio %.2f", r.Peer, r.Theirs, r.Unit, r.Ratio)
		}
		fmt.Fprintln(t)
	}
	t.Flush()
}
