package server

import (
	"cmp"
	"io"
	"log"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// accessLog writes a line of JSON for each answer.
type accessLog struct {
	lines    *slog.Logger
	visitors bool // who asked, and with what query
}

func newAccessLog(w io.Writer, visitors bool) *accessLog {
	return &accessLog{visitors: visitors, lines: slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{
		ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if a.Key == slog.LevelKey || a.Key == slog.MessageKey {
				return slog.Attr{} // the same in every line
			}
			if a.Key == slog.TimeKey {
				a.Value = slog.TimeValue(a.Value.Time().UTC())
			}
			return a
		},
	}))}
}

// write notes an answer that has been given, or broken off.
func (l *accessLog) write(r *http.Request, a *answer, began time.Time) {
	took := time.Since(began)
	if r.Method == http.MethodHead {
		a.bytes = 0 // whatever was written: there is no body
	}
	attributes := []slog.Attr{
		slog.String("method", r.Method),
		slog.String("path", r.URL.Path),
		slog.Int("status", cmp.Or(a.status, http.StatusOK)),
		slog.Int64("bytes", a.bytes),
		slog.Float64("duration_ms", float64(took.Microseconds())/1000),
	}
	if l.visitors {
		attributes = append(attributes, slog.String("address", r.RemoteAddr), slog.String("query", r.URL.RawQuery))
	}
	l.lines.LogAttrs(r.Context(), slog.LevelInfo, "", attributes...)
}

// addresses of visitors stand in the messages of net/http.
var addresses = regexp.MustCompile(`(\d{1,3}(\.\d{1,3}){3}|\[[0-9A-Fa-f:.%\w]+\]):\d+`)

// faults takes the messages of net/http: what the one who runs the server should know,
// without who it was unless that is asked for. Failed TLS handshakes tell of visitors
// alone: scanners make thousands.
type faults struct {
	notes    io.Writer
	visitors bool
}

// Write takes a message of net/http, and never writes less of it than all.
func (f faults) Write(line []byte) (int, error) {
	text := string(line)
	if !f.visitors {
		if strings.Contains(text, "TLS handshake error") {
			return len(line), nil
		}
		text = addresses.ReplaceAllLiteralString(text, "a visitor")
	}
	_, err := io.WriteString(f.notes, text)
	return len(line), err
}

func (f faults) logger() *log.Logger { return log.New(f, "", 0) }
