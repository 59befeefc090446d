package cluster

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
)

// Parts returns the parts of all ranks, which may differ in length, on every rank.
func Parts(g Group, part []byte) ([][]byte, error) {
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

// Leader returns rank 0's bytes, of any length, on every rank; what the others give is not
// looked at.
func Leader(g Group, value []byte) ([]byte, error) {
	if g.Size() == 1 {
		return value, nil
	}
	length := binary.LittleEndian.AppendUint64(nil, uint64(len(value)))
	if err := g.Broadcast(length); err != nil {
		return nil, err
	}
	if !Leads(g) {
		value = make([]byte, binary.LittleEndian.Uint64(length))
	}
	return value, g.Broadcast(value)
}

// Tell sets value, which JSON can hold, to that of rank 0.
func Tell(g Group, value any) error {
	if g.Size() == 1 {
		return nil
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if raw, err = Leader(g, raw); err != nil || Leads(g) {
		return err
	}
	return json.Unmarshal(raw, value)
}

// All returns the values of all ranks, which JSON can hold, in the order of the ranks.
func All[T any](g Group, value T) ([]T, error) {
	if g.Size() == 1 {
		return []T{value}, nil
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	parts, err := Parts(g, raw)
	if err != nil {
		return nil, err
	}
	all := make([]T, len(parts))
	for i, part := range parts {
		if err := json.Unmarshal(part, &all[i]); err != nil {
			return nil, fmt.Errorf("what rank %d says: %w", i, err)
		}
	}
	return all, nil
}

// Share is the part of n things that a rank works on: those from … to−1. The parts differ
// in size by one at most, and together they are everything, in the order of the ranks.
func Share(g Group, n int) (from, to int) {
	return n * g.Rank() / g.Size(), n * (g.Rank() + 1) / g.Size()
}
