package imaging

// sniffOther reports false: browsers decode other formats for the page.
func sniffOther([]byte) bool { return false }

// openOther returns ErrFormat.
func openOther(data []byte) (*encoded, error) { return nil, unknownFormat(data) }
