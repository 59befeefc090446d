package browser

// Outgoing counts what left the page since it was opened.
type Outgoing struct {
	Files     int      // of its own that it has loaded
	Elsewhere []string // other addresses that it asked for
	Stopped   []string // those that the browser did not let it reach
	Messages  int      // to the page around it
	Lines     int      // to a serial device
	Guarded   bool     // the browser lets the page reach its own address only
}
