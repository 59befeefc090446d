package cluster

import "context"

type key struct{}

// With returns a context that carries the group of a command.
func With(ctx context.Context, g Group) context.Context { return context.WithValue(ctx, key{}, g) }

// Of returns the group that a context carries, [Alone] where it carries none.
func Of(ctx context.Context) Group {
	g, _ := ctx.Value(key{}).(Group)
	return Or(g)
}
