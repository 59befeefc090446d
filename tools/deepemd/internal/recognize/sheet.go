package recognize

import (
	"cmp"
	"fmt"
	"image/png"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/tools/deepemd/internal/figure"
	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/trainer/data"
)

// openSheet opens the pictures of an index, which was made from source, for a sheet of a number of queries.
func (o *searchOptions) openSheet(source string, queries int) (*data.Set, error) {
	if queries > figure.MaxRows {
		return nil, fmt.Errorf("--sheet: %d queries: want %d or fewer: search for fewer at a time", queries, figure.MaxRows)
	}
	pictures, err := data.OpenUnclassified(cmp.Or(o.data, source))
	if err != nil {
		return nil, fmt.Errorf("--sheet: cannot read the pictures: %w; give their current folder with --data", err)
	}
	return pictures, nil
}

// drawSheet draws queries and their results. Pictures of the index that are absent are blank, unless
// all are absent.
func (o *searchOptions) drawSheet(r *findings, queries []*imaging.Image, gallery *data.Set) error {
	sheet := figure.Sheet{
		Title:    "Found in " + filepath.Base(r.Source),
		Subtitle: fmt.Sprintf("%s, %s. Queries on the left.", flags.Count(r.Pictures, r.sound, "picture"), r.ranked),
		Footer:   fmt.Sprintf("DeepEMD · %s · %v · %s weights", r.Network, r.Embedding, r.Weighting),
	}
	shown := 0
	for k, f := range r.Queries {
		row := figure.SheetRow{Query: figure.Cell{Picture: queries[k], Name: filepath.Base(f.Query), Note: "query"}}
		for _, h := range f.Hits {
			cell := figure.Cell{Name: h.label(), Note: h.note(r.Candidates > 0)}
			if picture, err := gallery.Image(h.name); err == nil {
				cell.Picture = picture
				shown++
			}
			row.Found = append(row.Found, cell)
		}
		sheet.Rows = append(sheet.Rows, row)
	}
	if shown == 0 {
		return fmt.Errorf("--sheet: %s has none of the results: give their current folder with --data", cmp.Or(o.data, r.Source))
	}
	return atomicfile.Write(o.sheet, func(w io.Writer) error { return png.Encode(w, sheet.Draw()) })
}

// label returns the first word of the picture's class, or its file name.
func (h hit) label() string {
	if h.Class == "" {
		return path.Base(h.Picture)
	}
	first, _, _ := strings.Cut(h.Class, ",")
	return first
}

func (h hit) note(matched bool) string {
	if matched {
		return fmt.Sprintf("%.2f", h.Score)
	}
	return fmt.Sprintf("cosine %.3f", h.Cosine)
}
