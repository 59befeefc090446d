package wasmopt

// functionBodies returns the bodies of the functions of a code section: their locals, and their
// instructions.
func functionBodies(section []byte) (bodies [][]byte, err error) {
	r := reader{section}
	n, err := r.number()
	if err != nil {
		return nil, err
	}
	for range n {
		body, err := r.counted()
		if err != nil {
			return nil, err
		}
		bodies = append(bodies, body)
	}
	return bodies, nil
}
