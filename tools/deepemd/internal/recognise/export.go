package recognise

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/deepemd/deepemd/tools/deepemd/internal/fault"
	"github.com/deepemd/deepemd/tools/deepemd/internal/progress"
	"github.com/deepemd/deepemd/trainer/format/artifact"
	"github.com/deepemd/deepemd/trainer/format/vectors"
	"github.com/deepemd/deepemd/trainer/measure/evaluate"
)

// parquetEnding is that of an export to one file.
const parquetEnding = ".parquet"

// export writes the vectors of an index for other stores: into a folder, or a Parquet file
// where the path ends like one.
func export(ctx context.Context, stdout, stderr io.Writer, path, to string) error {
	x, err := openFilled(stderr, path)
	if err != nil {
		return err
	}
	defer x.Close()
	start := time.Now()
	what := "Parquet"
	err = progress.With(stderr, "pictures exported", func(show evaluate.Progress) error {
		if strings.EqualFold(filepath.Ext(to), parquetEnding) {
			return artifact.Write(to, func(w io.Writer) error { return vectors.Parquet(ctx, w, x.Index, show) })
		}
		what = "Parquet and NumPy"
		return vectors.Folder(ctx, to, x.Index, show)
	})
	if artifact.IsFull(err) {
		return fmt.Errorf("--export: the disk is full: make room, or name another place: %w", err)
	}
	if err != nil {
		return fmt.Errorf("--export: %w", fault.Interrupted(err))
	}
	_, err = fmt.Fprintf(stdout, "%s: %d vectors of %d channels as %s, in %.1f s\n", to, x.Size(), x.Channels(), what, time.Since(start).Seconds())
	return err
}
