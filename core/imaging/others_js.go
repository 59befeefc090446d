package imaging

// openOther refuses what the browser decodes.
func openOther(data []byte) (*encoded, error) { return nil, unknownFormat(data) }
