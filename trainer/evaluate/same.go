package evaluate

import (
	"context"
	"fmt"

	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/internal/plural"
	"github.com/deepemd/deepemd/trainer/data"
)

// SameImages returns an error on all ranks of the context's group if a rank has other images of the
// classes than rank 0, by name and size.
func SameImages(ctx context.Context, set *data.Set, classes []string) error {
	g := cluster.Of(ctx)
	if g.Size() == 1 {
		return nil
	}
	type image struct {
		data.Picture
		size int64
	}
	var images []image
	for _, class := range classes {
		for _, p := range set.Pictures(class) {
			images = append(images, image{p, set.Size(p.Name)})
		}
	}
	return cluster.Same(g, "images", fmt.Sprintf("%d of %s", len(images), plural.Count(len(classes), "class", "classes")), "names and sizes: "+cluster.Digest(images))
}

// sameItems returns an error on all ranks if a rank has other items to share than rank 0.
func sameItems(ctx context.Context, what string, n int, items any) error {
	g := cluster.Of(ctx)
	if g.Size() == 1 {
		return nil
	}
	return cluster.Same(g, what, fmt.Sprint(n), cluster.Digest(items))
}
