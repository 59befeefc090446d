package verb

import (
	"fmt"
	"io"
	"strings"
)

// ReportLeft prints the number and the first names of skipped files and folders: unreadable folders,
// and files that are neither images nor recordings.
func ReportLeft(w io.Writer, files []string) {
	if len(files) == 0 {
		return
	}
	const most = 5
	shown, more := files, ""
	if len(files) > most {
		shown, more = files[:most], fmt.Sprintf(" and %d more", len(files)-most)
	}
	fmt.Fprintf(w, "passed over %d that are no images or recordings, or cannot be read: %s%s\n", len(files), Line(strings.Join(shown, ", ")), more)
}
