package cluster

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// Share returns the range from … to−1 of n items that a rank processes. Ranges differ in length by
// at most one, and follow the order of the ranks.
func Share(g Group, n int) (from, to int) {
	return n * g.Rank() / g.Size(), n * (g.Rank() + 1) / g.Size()
}

// Gather gives every rank of the context's group the values of all ranks. Each rank has computed
// its [Share], or has failed with err. It returns the error of the first rank that has one, on all
// ranks.
func Gather[T any](ctx context.Context, values []T, err error) error {
	g := Of(ctx)
	if g.Size() == 1 || err != nil && ctx.Err() != nil {
		return err
	}
	if err := AgreeOnError(g, err); err != nil {
		return err
	}
	if err := Same(g, "numbers of results", fmt.Sprint(len(values))); err != nil {
		return err
	}
	from, to := Share(g, len(values))
	all, err := AllGather(g, values[from:to])
	if err != nil {
		return err
	}
	copy(values, slices.Concat(all...))
	return nil
}

// AllGather returns the values of all ranks in order. Values are encoded with gob.
func AllGather[T any](g Group, value T) ([]T, error) {
	if g.Size() == 1 {
		return []T{value}, nil
	}
	raw, err := encode(value)
	if err != nil {
		return nil, err
	}
	parts, err := gatherAll(g, raw)
	if err != nil {
		return nil, err
	}
	all := make([]T, len(parts))
	for rank, part := range parts {
		if err := gob.NewDecoder(bytes.NewReader(part)).Decode(&all[rank]); err != nil {
			return nil, fmt.Errorf("data from rank %d: %w: %s", rank, err, startTogether)
		}
	}
	return all, nil
}

// FromLeader returns the value or error of rank 0 on every rank, and ignores the arguments of the
// others.
func FromLeader[T any](g Group, value T, err error) (T, error) {
	if g.Size() == 1 {
		return value, err
	}
	type message struct {
		Value   T
		Trouble trouble
	}
	var raw []byte
	if IsFirst(g) {
		m := message{Trouble: troubleOf(err)}
		if err == nil {
			m.Value = value
		}
		var failed error
		if raw, failed = encode(m); failed != nil {
			return value, failed
		}
	}
	length := binary.LittleEndian.AppendUint64(nil, uint64(len(raw)))
	if failed := g.Broadcast(length); failed != nil {
		return value, failed
	}
	if !IsFirst(g) {
		raw = make([]byte, binary.LittleEndian.Uint64(length))
	}
	if failed := g.Broadcast(raw); failed != nil || IsFirst(g) {
		return value, errors.Join(err, failed)
	}
	var m message
	if err := gob.NewDecoder(bytes.NewReader(raw)).Decode(&m); err != nil {
		return value, fmt.Errorf("data from rank 0: %w: %s", err, startTogether)
	}
	return m.Value, m.Trouble.err(0)
}

// AgreeOnError returns the error of the first rank that has one, on all ranks of a group, so that they
// continue or stop together. All ranks must call it. Errors of other ranks name the rank. They keep
// the property fs.ErrNotExist, and their type if it implements gob.GobEncoder and is registered.
func AgreeOnError(g Group, err error) error {
	if g.Size() == 1 {
		return err
	}
	all, lost := AllGather(g, troubleOf(err))
	if lost != nil {
		return errors.Join(err, lost)
	}
	for rank, its := range all {
		switch {
		case !its.Failed:
		case rank == g.Rank():
			return err
		default:
			return its.err(rank)
		}
	}
	return nil
}

// trouble is an encoded error.
type trouble struct {
	Failed, Absent bool
	Text           string
	Kept           error // nil if its type is not encodable
}

func troubleOf(err error) trouble {
	if err == nil {
		return trouble{}
	}
	t := trouble{Failed: true, Absent: errors.Is(err, fs.ErrNotExist), Text: err.Error()}
	var kept interface {
		error
		gob.GobEncoder
	}
	if errors.As(err, &kept) {
		t.Kept = kept
	}
	return t
}

// err returns the error on the receiving rank.
func (t trouble) err(rank int) error {
	switch {
	case !t.Failed:
		return nil
	case t.Kept != nil:
		return fmt.Errorf("rank %d: %w", rank, t.Kept)
	case t.Absent:
		return fmt.Errorf("rank %d: %s: %w", rank, t.Text, fs.ErrNotExist)
	}
	return fmt.Errorf("rank %d: %s", rank, t.Text)
}

func encode(value any) ([]byte, error) {
	var raw bytes.Buffer
	err := gob.NewEncoder(&raw).Encode(value)
	return raw.Bytes(), err
}

// gatherAll returns the parts of all ranks, which may have different lengths, on every rank.
func gatherAll(g Group, part []byte) ([][]byte, error) {
	lengths := make([]byte, 8*g.Size())
	if err := g.Join(lengths, binary.LittleEndian.AppendUint64(nil, uint64(len(part)))); err != nil {
		return nil, err
	}
	longest := 0
	for i := range g.Size() {
		longest = max(longest, int(binary.LittleEndian.Uint64(lengths[8*i:])))
	}
	padded, all := make([]byte, longest), make([]byte, longest*g.Size())
	copy(padded, part)
	if err := g.Join(all, padded); err != nil {
		return nil, err
	}
	parts := make([][]byte, g.Size())
	for i := range parts {
		parts[i] = all[i*longest:][:binary.LittleEndian.Uint64(lengths[8*i:])]
	}
	return parts, nil
}
