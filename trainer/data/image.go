package data

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/sound"
)

// Image returns the decoded picture of a name as [Set.Find] understands it. The
// picture must not be modified: it may be kept for the next caller.
//
// # Errors
//
// Those of Find; *Damaged for a file that cannot be read or decoded, or where such
// are passed over (see [Set.Skip]) a class that has no other.
func (s *Set) Image(name string) (*imaging.Image, error) {
	p, err := s.Find(name)
	if err != nil {
		return nil, err
	}
	if on, _ := s.skips.skipping(p.Name); on {
		return s.standIn(p)
	}
	return s.load(p)
}

// standIn returns the next picture of the class that can be read, from p on.
func (s *Set) standIn(p Picture) (*imaging.Image, error) {
	class := s.pictures[p.Class]
	at, _ := slices.BinarySearchFunc(class, p, func(a, b Picture) int { return strings.Compare(a.Name, b.Name) })
	for i := range class {
		next := class[(at+i)%len(class)]
		if _, bad := s.skips.skipping(next.Name); bad {
			continue
		}
		img, err := s.load(next)
		if err == nil {
			return img, nil
		}
		var damaged *Damaged
		if !errors.As(err, &damaged) {
			return nil, err
		}
		s.skips.add(damaged)
	}
	return nil, fmt.Errorf("%s: none of the %d pictures of class %s can be read: is the copy whole?", s.name, len(class), p.Class)
}

// load returns a decoded picture, from where it is kept if it is.
func (s *Set) load(p Picture) (*imaging.Image, error) {
	if img := s.cache.get(p.Name); img != nil {
		return img, nil
	}
	img, err := s.read(p.Name)
	if err != nil {
		return nil, err
	}
	s.cache.put(p.Name, img)
	return img, nil
}

// read reads and decodes a picture.
func (s *Set) read(name string) (*imaging.Image, error) {
	raw, err := s.source.read(name)
	if err != nil {
		return nil, &Damaged{s.name, name, err}
	}
	img, err := s.decode(raw)
	if err != nil {
		return nil, &Damaged{s.name, name, err}
	}
	if short := min(img.Width, img.Height); s.maxSide > 0 && short > s.maxSide {
		scaled := func(side int) int { return max(1, (side*s.maxSide+short/2)/short) }
		img = imaging.Resize(img, scaled(img.Width), scaled(img.Height))
	}
	return img, nil
}

// LimitSide makes the set scale pictures down when it decodes them, until their
// shorter side has so many pixels; 0 leaves them. Call it before any picture is
// asked for.
func (s *Set) LimitSide(side int) { s.maxSide = side }

// decode returns the picture in a file, or that of the recording in it.
func decode(data []byte) (*imaging.Image, error) {
	if sound.Sniff(data) {
		return sound.Picture(data)
	}
	return imaging.Decode(data)
}
