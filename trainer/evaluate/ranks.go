package evaluate

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"

	"github.com/deepemd/deepemd/core/embed"

	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/trainer/data"
)

// Extract, Run and RunOpen share their work among the ranks of the context's group, which all
// call them with the same arguments: each takes its part of the pictures or episodes, and all
// return everything, in the order and with the digits that one process gives.

// join gives every rank the values of all, of which it has computed those from … to−1, unless
// err kept a rank from it.
func join[T any](ctx context.Context, values []T, err error) error {
	g := cluster.Of(ctx)
	if g.Size() == 1 || err != nil && ctx.Err() != nil {
		return err
	}
	if err := data.Agree(g, err); err != nil {
		return err
	}
	from, to := cluster.Share(g, len(values))
	var mine bytes.Buffer
	if err := gob.NewEncoder(&mine).Encode(values[from:to]); err != nil {
		return err
	}
	parts, err := cluster.Parts(g, mine.Bytes())
	if err != nil {
		return err
	}
	rest := values
	for rank, part := range parts {
		var its []T
		if err := gob.NewDecoder(bytes.NewReader(part)).Decode(&its); err != nil {
			return fmt.Errorf("what rank %d has computed: %w", rank, err)
		}
		if len(its) > len(rest) {
			return fmt.Errorf("rank %d has computed other things than this one: start all ranks with the same command", rank)
		}
		rest = rest[copy(rest, its):]
	}
	return nil
}

// named is the set of a picture.
type named struct {
	Name string
	Set  *embed.Set
}

// Gather gives every rank of the context's group the features of all names, of which it has
// those of its share (cluster.Share), unless err kept it from them. It returns the error of
// the first rank that has one.
func Gather(ctx context.Context, names []string, features Features, err error) (Features, error) {
	if cluster.Of(ctx).Size() == 1 {
		return features, err
	}
	all := make([]named, len(names))
	for i, name := range names {
		all[i] = named{name, features[name]}
	}
	if err := join(ctx, all, err); err != nil {
		return nil, err
	}
	features = make(Features, len(names))
	for _, n := range all {
		features[n.Name] = n.Set
	}
	return features, nil
}

// FromLeader gives every rank the features that rank 0 has of some pictures; what the others
// have is not looked at.
func FromLeader(g cluster.Group, features Features) (Features, error) {
	if g.Size() == 1 {
		return features, nil
	}
	var raw bytes.Buffer
	if cluster.Leads(g) {
		if err := gob.NewEncoder(&raw).Encode(features); err != nil {
			return nil, err
		}
	}
	all, err := cluster.Leader(g, raw.Bytes())
	if err != nil || cluster.Leads(g) {
		return features, err
	}
	features = nil
	if err := gob.NewDecoder(bytes.NewReader(all)).Decode(&features); err != nil {
		return nil, fmt.Errorf("the features of rank 0: %w", err)
	}
	if features == nil {
		features = Features{}
	}
	return features, nil
}
