package texts

// Share is the dialog that gives code to put a project into somebody's own page.
type Share struct {
	Open      string // button in the dialog of projects
	OpenTitle string
	Title     string // of the dialog
	Close     string // button

	Form        string // legend: what is pasted
	Frame       string // the whole page, in an iframe
	FrameNote   string
	Element     string // the classifier alone, an element
	ElementNote string

	Address func(file string) string `args:"file"` // label of the field: where the file will lie
	Program string                   // label of the field: where element.js lies

	Part       string                     // what is wrong with an address
	Other      func(ending string) string `args:"ending"` // the file's name has to end so
	Insecure   string
	Local      string
	OwnProgram string // that the program is the studio's, and how to have one's own
	Script     string // the program's address does not end in element.js

	Steps            string                            // heading
	Save             func(file string) string          `args:"file"` // a step, beside its button
	SaveNow          string                            // the button
	Upload           func(file, address string) string `args:"file address"` // a step
	Paste            string                            // a step, above the code
	Code             string                            // label of the code
	Copy             string                            // button
	Copied           string
	ByHand           string // where the browser lets no page copy: the code is selected
	Elsewhere        string // what the servers must permit when page and files have different addresses
	ElsewhereElement string
	Pictures         string // that the file holds the examples, which everybody can then see
}
