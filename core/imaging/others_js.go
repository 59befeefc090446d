package imaging

// sniffOther knows none.
func sniffOther([]byte) bool { return false }

// openOther refuses what the browser decodes.
func openOther(data []byte) (*encoded, error) { return nil, unknownFormat(data) }
