package texts

// Network is the network that recognises things: the one that comes with the page, or one
// of the person's own. It stands in the settings, for experts.
type Network struct {
	Title string
	Comes func(name string) string            `args:"name"`           // the network that comes with the page
	Small func(name string) string            `args:"name"`           // the small one that does
	Own   func(name, megabytes string) string `args:"name megabytes"` // in use
	Kept  string                              // of that network
	Until string                              // while it is not kept: until when it is used
	Note  string
	Choose,
	Remove string // buttons
	UseSmall,
	UseUsual string // buttons for the networks that come with the page
	TwoNote string // what they differ in

	Reading   func(file, percent string) string `args:"file percent"`
	Measuring func(file, percent string) string `args:"file percent"`
	Cancel    string                            // button
	Question  func(name string) string          `args:"name"` // heading of the figures
	Yours     string                            // headings of columns
	Present   string
	Figure    string // heading of the rows, for those who do not see the table
	Answers   string // headings of rows
	Size      string
	Parts     string
	Kind      string                        // the architecture
	Megabytes func(n string) string         `args:"n"`
	Nodes     func(n, pixels int) string    `args:"n pixels"`
	Costs     func(megabytes string) string `args:"megabytes"` // what using it means
	Use       string                        // button
	Changing  func(done, all int) string    `args:"done all"`
	Keeping   func(percent string) string   `args:"percent"`
	NotUsed   func(file string) string      `args:"file"` // heading of why
	Stays     string                        // that nothing has changed
	Close     string                        // button
	Share     func(megabytes string) string `args:"megabytes"` // in the dialog of projects
	Upload    func(address string) string   `args:"address"`   // in the dialog that gives code to embed

	Cut, Unreadable, Damaged, Full string // why something failed

	// Notices.
	Unused       string
	UnusedRemedy string
	NotKept      func(name string) string `args:"name"`
	NotKeptText  string
	NotRemoved   string
	Other        func(made string) string      `args:"made"` // a project was taught with another network
	OtherText    func(made, now string) string `args:"made now"`
	OtherOffer   func(made, now string) string `args:"made now"` // where the page has that network, too

	// The small network has taken over on a slow device; in answers a second.
	Slow            string
	SlowBefore      func(before string) string      `args:"before"`
	SlowNow         func(now, before string) string `args:"now before"`
	SlowText        string
	SlowProject     func(n string) string    `args:"n"` // the device is slow, and the project is of another network
	SlowProjectText func(made string) string `args:"made"`
}
