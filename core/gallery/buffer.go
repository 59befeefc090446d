package gallery

// Buffer is a Store in memory.
type Buffer struct {
	// Bytes are what was written: an index for Open.
	Bytes []byte
}

// WriteAt implements io.WriterAt.
func (b *Buffer) WriteAt(p []byte, at int64) (int, error) {
	if missing := int(at) + len(p) - len(b.Bytes); missing > 0 {
		b.Bytes = append(b.Bytes, make([]byte, missing)...)
	}
	return copy(b.Bytes[at:], p), nil
}

// Sync implements Store.
func (b *Buffer) Sync() error { return nil }

// Truncate implements Store.
func (b *Buffer) Truncate(size int64) error {
	b.Bytes = b.Bytes[:min(int(size), len(b.Bytes))]
	return nil
}
