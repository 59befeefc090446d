package imaging

// sniffOther knows none.
func sniffOther([]byte) bool { return false }

// openOther refuses what a browser decodes for its page.
func openOther(data []byte) (*encoded, error) { return nil, unknownFormat(data) }
