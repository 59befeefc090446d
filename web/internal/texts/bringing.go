package texts

// Bringing is what comes in from other programs, and goes out to them.
type Bringing struct {
	Save        string // button: the examples as a zip of folders
	SaveTitle   string
	Folder      string // button: folders of examples
	FolderTitle string
	Learning    func(done, all int) string         `args:"done all"`         // state: saved, and being embedded
	Brought     func(classes, examples int) string `args:"classes examples"` // notice
	LeftBehind  func(files int) string             `args:"files"`            // "" for none
	BadZip      string                             // reasons
	Poses       func(program string) string        `args:"program"`
	Sounds      func(program string) string        `args:"program"`
	NoExamples  string
}
