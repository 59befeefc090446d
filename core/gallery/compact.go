package gallery

import "github.com/deepemd/deepemd/internal/kernel"

// Compact writes the pictures of an index that were not deleted to an empty store, as an
// index of their own. They keep their order, and are found as before.
//
// It returns an error for an index without a picture that can be found, one that wraps
// ErrDamaged for a picture that is damaged, and those of writing.
func Compact(store Store, x *Index) error {
	w := &Writer{store: store, book: x.book, names: map[string]bool{}}
	w.begin.end = headSize
	if x.catalogue == nil || x.Size() == 0 {
		return errNothing
	}
	w.catalogue = *x.catalogue
	next := w.begin
	if err := w.appendHead(&next, x.book); err != nil {
		return err
	}
	w.begin = next
	for i := range x.Len() {
		if x.deleted[i] {
			continue
		}
		e, err := x.entry(i)
		if err != nil {
			return err
		}
		w.waiting = append(w.waiting, e)
	}
	if err := w.commit(); err != nil {
		return err
	}
	w.begin.complete = x.begin.complete
	return w.publish()
}

// entry is picture i as it lies in the index.
func (x *Index) entry(i int) (entry, error) {
	b, k := x.at(i)
	row := kernel.Pad(x.Channels())
	record, err := x.record(i)
	return entry{name: x.Name(i), class: x.Class(i), whole: b.features[k*row:][:row], scale: b.scale(k), record: record}, err
}
