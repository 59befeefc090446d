package texts

// Bringing is what comes in from other programs, and goes out to them.
type Bringing struct {
	Save        string // button: the examples as a zip of folders
	SaveTitle   string
	Folder      string // button: folders of examples
	FolderTitle string
	Learning    func(done, all int) string         // state: saved, and being embedded
	Brought     func(classes, examples int) string // notice
	LeftBehind  func(files int) string             // "" for none
	BadZip      string                             // reasons
	Poses       func(program string) string
	Sounds      func(program string) string
	NoExamples  string
}
