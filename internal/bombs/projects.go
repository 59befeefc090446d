package bombs

import "fmt"

// Refused is a small project file that would take minutes or gigabytes, and what the
// reader says of it.
type Refused struct {
	Name      string
	File      []byte
	Says      string // a part of the message, in Go and in JavaScript
	Allocates int64  // bytes at most until it is refused
}

// Projects are the project files that every reader refuses.
func Projects() []Refused {
	one := func(int) string { return "p.png" }
	each := func(i int) string { return fmt.Sprint("p", i, ".png") }
	picture := Entry{Name: "p.png", Content: PNG(64)}
	upon := []Entry{picture}
	for i := range 30_000 {
		upon = append(upon, Entry{Name: each(i), On: "p.png"})
	}
	var many []Entry
	plain := PNG(2000)
	for i := range 30 {
		many = append(many, Entry{Name: each(i), Content: plain})
	}
	zeros := Entry{Name: "p.png", Content: make([]byte, 200<<20), Deflate: true}
	spaces := Entry{Name: "manifest.json", Content: make([]byte, 50<<20), Deflate: true}
	return []Refused{
		{"99,000 examples of one picture", Project(99_000, one, picture), `two examples have the picture "p.png"`, 100 << 20},
		{"30,000 pictures upon one another", Project(30_000, each, upon...), "lie one upon another", 50 << 20},
		{"200 MB of zeros", Project(1, one, zeros), "unpacked", 1 << 20},
		{"a manifest of spaces", Archive(spaces), "more than 33554432", 1 << 20},
		{"a picture that says 2 GB", Claiming(Project(1, one, picture), "p.png", 2<<30), "are 2147483648", 1 << 20},
		{"a picture of no PNG", Project(1, one, Entry{Name: "p.png", Content: WebP(2000, 2000)}), "is no PNG", 1 << 20},
		{"a picture of 67 megapixels", Project(1, one, Entry{Name: "p.png", Content: PNG(8192)}), "more pixels than a file of its size should", 8 << 20},
		{"30 pictures of 4 megapixels", Project(30, each, many...), "more pixels than a file of its size should", 1 << 30},
	}
}
