package bombs

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
)

// Project is a project file of package core/project/archive with so many examples of one
// class. Picture gives the name of each one's picture, from 0 on; the archive has those
// in entries, beside the manifest.
func Project(examples int, picture func(i int) string, entries ...Entry) []byte {
	return Archive(append([]Entry{{Name: "manifest.json", Content: Manifest(examples, picture)}}, entries...)...)
}

// Manifest is that of a Project.
func Manifest(examples int, picture func(i int) string) []byte {
	var text strings.Builder
	text.WriteString(`{"format": "deepemd-project", "version": 2, "kind": "image", "name": "", "classes": [{"id": "c", "label": "C", "examples": [`)
	for i := range examples {
		if i > 0 {
			text.WriteString(",")
		}
		fmt.Fprintf(&text, `{"id": "%d", "picture": %q}`, i, picture(i))
	}
	text.WriteString(`]}]}`)
	return []byte(text.String())
}

// Entry is an entry of an archive.
type Entry struct {
	Name    string
	Content []byte
	Deflate bool
	On      string // the name of an entry before it whose bytes it shares; it has no content then
}

// Archive is a zip archive of the entries. Those On another take no more than their place
// in the directory.
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
			panic(err) // a buffer takes everything
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return share(whole.Bytes(), entries)
}

// share adds directory records for the entries that lie on others.
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
		binary.LittleEndian.PutUint16(record[nameLength+2:], 0) // nothing extra
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

// Claiming is an archive whose directory says that an entry becomes size bytes.
func Claiming(archive []byte, name string, size uint32) []byte {
	archive = bytes.Clone(archive)
	record := archive[bytes.LastIndex(archive, []byte(name))-46:]
	binary.LittleEndian.PutUint32(record[24:], size)
	return archive
}
