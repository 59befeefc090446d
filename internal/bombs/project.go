package bombs

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
)

// Project returns a project file of package core/project/archive with the given number of examples
// in one class. picture returns the name of the i-th example's image; entries contains the images.
func Project(examples int, picture func(i int) string, entries ...Entry) []byte {
	var text strings.Builder
	text.WriteString(`{"format": "deepemd-project", "version": 2, "kind": "image", "name": "", "classes": [{"id": "c", "label": "C", "examples": [`)
	for i := range examples {
		if i > 0 {
			text.WriteString(",")
		}
		fmt.Fprintf(&text, `{"id": "%d", "picture": %q}`, i, picture(i))
	}
	text.WriteString(`]}]}`)
	return Archive(append([]Entry{{Name: "manifest.json", Content: []byte(text.String())}}, entries...)...)
}

// Entry is an entry of an archive.
type Entry struct {
	Name    string
	Content []byte
	Deflate bool
	On      string // name of an earlier entry that shares its bytes; Content is empty then
}

// Archive returns a zip archive of the entries. Entries with On only add a directory record.
func Archive(entries ...Entry) []byte {
	var whole bytes.Buffer
	w := zip.NewWriter(&whole)
	for _, e := range entries {
		if e.On != "" {
			continue
		}
		method := zip.Store
		if e.Deflate {
			method = zip.Deflate
		}
		to, err := w.CreateHeader(&zip.FileHeader{Name: e.Name, Method: method})
		if err == nil {
			_, err = to.Write(e.Content)
		}
		if err != nil {
			panic(err) // writes to memory do not fail
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return share(whole.Bytes(), entries)
}

// share adds directory records for entries with On.
func share(archive []byte, entries []Entry) []byte {
	const endSize, recordSize, nameLength = 22, 46, 28
	end := archive[len(archive)-endSize:]
	count, size, offset := int(binary.LittleEndian.Uint16(end[10:])), binary.LittleEndian.Uint32(end[12:]), binary.LittleEndian.Uint32(end[16:])
	directory := bytes.Clone(archive[offset : offset+size])
	records := map[string][]byte{}
	for rest := directory; len(rest) > 0; {
		n := int(binary.LittleEndian.Uint16(rest[nameLength:]))
		extra := int(binary.LittleEndian.Uint16(rest[nameLength+2:]))
		records[string(rest[recordSize:recordSize+n])] = rest[:recordSize]
		rest = rest[recordSize+n+extra:]
	}
	for _, e := range entries {
		if e.On == "" {
			continue
		}
		record := bytes.Clone(records[e.On])
		binary.LittleEndian.PutUint16(record[nameLength:], uint16(len(e.Name)))
		binary.LittleEndian.PutUint16(record[nameLength+2:], 0)
		directory = append(append(directory, record...), e.Name...)
		count++
	}
	file := append(bytes.Clone(archive[:offset]), directory...)
	end = bytes.Clone(end)
	binary.LittleEndian.PutUint16(end[8:], uint16(count))
	binary.LittleEndian.PutUint16(end[10:], uint16(count))
	binary.LittleEndian.PutUint32(end[12:], uint32(len(directory)))
	return append(file, end...)
}

// Claiming returns an archive whose directory claims an uncompressed size for an entry.
func Claiming(archive []byte, name string, size uint32) []byte {
	archive = bytes.Clone(archive)
	record := archive[bytes.LastIndex(archive, []byte(name))-46:]
	binary.LittleEndian.PutUint32(record[24:], size)
	return archive
}

// Expected is a small project file that would take minutes or gigabytes to read, and the expected
// error.
type Expected struct {
	Name      string
	File      []byte
	Says      string // part of the message, in Go and in JavaScript
	Allocates int64  // maximum bytes before the error
}

// Projects returns project files that every reader must reject.
func Projects() []Expected {
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
	return []Expected{
		{"99,000 examples of one picture", Project(99_000, one, picture), `two examples have the picture "p.png"`, 100 << 20},
		{"30,000 pictures upon one another", Project(30_000, each, upon...), "entries overlap", 50 << 20},
		{"200 MB of zeros", Project(1, one, zeros), "would unpack to", 1 << 20},
		{"a manifest of spaces", Archive(spaces), "more than 33554432", 1 << 20},
		{"a picture that says 2 GB", Claiming(Project(1, one, picture), "p.png", 2<<30), "unpack to 2147483648", 1 << 20},
		{"a picture of no PNG", Project(1, one, Entry{Name: "p.png", Content: WebP(2000, 2000)}), "is not a PNG", 1 << 20},
		{"a picture of 67 megapixels", Project(1, one, Entry{Name: "p.png", Content: PNG(8192)}), "more pixels than a file of its size should", 8 << 20},
		{"30 pictures of 4 megapixels", Project(30, each, many...), "more pixels than a file of its size should", 1 << 30},
	}
}
