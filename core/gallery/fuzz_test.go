package gallery

import (
	"errors"
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
)

// FuzzOpen opens files of blocks with correct CRCs and any contents: Open returns a complete index
// or an error.
func FuzzOpen(f *testing.F) {
	whole := written(f, true)
	h, head, _, rest, err := parseBlock(whole[headSize:])
	require.NoError(f, err)
	p, light, heavy, _, err := parseBlock(rest)
	require.NoError(f, err)
	f.Add(head, light, heavy, uint32(h.count), uint32(p.count), p.kind, uint32(p.count))
	f.Add(head, light, heavy, uint32(1<<31), uint32(1<<30), kindDeletions, uint32(1<<27))
	f.Add([]byte("\x02\x00\x00\x00{}"), []byte{}, []byte{}, uint32(1), uint32(1), uint32(9), uint32(0))
	f.Add(head, []byte{}, []byte{}, uint32(h.count), uint32(0), uint32(9), uint32(0))
	f.Add(head[:3], light, heavy, uint32(h.count), uint32(p.count), p.kind, uint32(p.count))
	f.Add([]byte("\x03\x00\x00\x00{}"), light, heavy, uint32(h.count), uint32(p.count), p.kind, uint32(p.count))
	f.Add(head, make([]byte, len(Digest{})), []byte{}, uint32(h.count), uint32(1), kindDigests, uint32(0)) // of no pictures
	f.Add(head, make([]byte, 4), []byte{}, uint32(h.count), uint32(1), kindDeletions, uint32(0))
	f.Add(head, []byte("/moved"), []byte{}, uint32(h.count), uint32(1), kindSource, uint32(0))
	f.Fuzz(func(t *testing.T, head, light, heavy []byte, centroids, count, kind, pictures uint32) {
		s := storage{Buffer: Buffer{Bytes: make([]byte, headSize)}}
		w := Writer{store: &s}
		w.begin.end = headSize
		next := w.begin
		require.NoError(t, errors.Join(w.append(&next, kindHead, int(centroids), head, nil), w.append(&next, kind, int(count), light, heavy)))
		next.pictures = int(pictures)
		require.NoError(t, w.publish(next))
		var x *Index
		var err error
		bombs.Budget(t, 1<<20, 512, len(s.Bytes), func() {
			if x, err = Open(s.Bytes); err != nil {
				return
			}
			n := x.Catalog().Network
			var scratch Scratch
			for i := range x.Len() {
				if set, err := x.Nodes(i, &scratch); err == nil && (set.N != n.Nodes || set.C != n.Channels) {
					t.Errorf("picture %d has %d nodes of %d channels, want %d of %d", i, set.N, set.C, n.Nodes, n.Channels)
				}
				_, _ = x.Name(i), x.Class(i)
			}
		})
		if err != nil && !errors.Is(err, ErrDamaged) {
			t.Errorf("error of no kind: %v", err)
		}
		if err == nil && (kind < kindPictures || kind > kindSource) {
			t.Errorf("a block of kind %d is ignored", kind)
		}
		if err == nil && (x.Len() != int(pictures) || x.Size() < 0) {
			t.Errorf("%d pictures, want %d", x.Len(), pictures)
		}
	})
}
