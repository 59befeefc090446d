package verb

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// Columns are aligned where a terminal shows characters of two cells, or combines them. The rest of a line is no
// column.
func TestTable(t *testing.T) {
	var out strings.Builder
	table := NewTable(&out)
	fmt.Fprintf(table, "name\tclass\tend\n日本.jpg\tx\t1\ne\u0301.jpg\t🌲\t2\na long line without cells\n")
	require.NoError(t, table.Flush())
	const want = "name      class  end\n日本.jpg  x      1\ne\u0301.jpg     🌲     2\na long line without cells\n"
	if out.String() != want {
		t.Errorf("printed\n%swant\n%s", out.String(), want)
	}
}
