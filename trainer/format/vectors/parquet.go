package vectors

import (
	"io"

	"github.com/parquet-go/parquet-go"
)

// row is a picture as Parquet has it.
type row struct {
	ID     int64     `parquet:"id"`
	Name   string    `parquet:"name,zstd"`
	Class  *string   `parquet:"class,zstd"`
	Vector []float32 `parquet:"vector,list,zstd"`
}

// groupRows is how many rows lie together. The writer holds so many in memory.
const groupRows = 1 << 14

// parquet writes the file.
func (e *export) parquet(w io.Writer) error {
	c := e.index.Catalogue()
	out := parquet.NewGenericWriter[row](w, parquet.MaxRowsPerRowGroup(groupRows),
		parquet.KeyValueMetadata("deepemd.network", c.Network.Name),
		parquet.KeyValueMetadata("deepemd.sha256", c.Network.SHA256),
		parquet.KeyValueMetadata("deepemd.source", c.Source))
	one := []row{{Vector: make([]float32, e.index.Channels())}}
	for _, i := range e.pictures {
		one[0].ID, one[0].Name, one[0].Class = int64(i), e.index.Name(i), nil
		if class := e.index.Class(i); class != "" {
			one[0].Class = &class
		}
		e.index.Feature(one[0].Vector, i)
		if _, err := out.Write(one); err != nil {
			return err
		}
		if err := e.step(); err != nil {
			return err
		}
	}
	return out.Close()
}
