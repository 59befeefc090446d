package wasmopt

import "errors"

// Function is a function that the module itself defines.
type Function struct {
	Name string // as the linker wrote it: all but letters, digits, dots and underscores are underscores
	Code []byte
}

// externalFunction is what an import is that has a place in the numbering of functions.
const externalFunction = 0

// Functions returns the functions of a program that was linked with names (without -ldflags=-s).
//
// # Errors
//
// It returns an error for bytes that are no module, and for a module without names.
func Functions(program []byte) (functions []Function, err error) {
	sections, err := split(program)
	if err != nil {
		return nil, err
	}
	imported := 0
	var names map[int]string
	for _, s := range sections {
		switch s.kind {
		case importSection:
			if imported, err = importedFunctions(s.content); err != nil {
				return nil, err
			}
		case codeSection:
			bodies, err := functionBodies(s.content)
			if err != nil {
				return nil, err
			}
			for _, code := range bodies {
				functions = append(functions, Function{Code: code})
			}
		case customSection:
			r := reader{s.content}
			kind, err := r.counted()
			if err != nil {
				return nil, err
			}
			if string(kind) == "name" {
				if names, err = functionNames(r.rest); err != nil {
					return nil, err
				}
			}
		}
	}
	if names == nil {
		return nil, errors.New("the module has no names of functions: link it without -s")
	}
	for i := range functions {
		functions[i].Name = names[imported+i]
	}
	return functions, nil
}

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

// importedFunctions counts the functions of an import section.
func importedFunctions(section []byte) (count int, err error) {
	r := reader{section}
	n, err := r.number()
	if err != nil {
		return 0, err
	}
	for range n {
		for range 2 { // the module's name, the import's
			if _, err := r.counted(); err != nil {
				return 0, err
			}
		}
		kind, err := r.byte()
		if err != nil {
			return 0, err
		}
		if kind != externalFunction {
			return 0, errors.New("the module imports more than functions: Go's linker writes no such module")
		}
		if _, err := r.number(); err != nil { // its type
			return 0, err
		}
		count++
	}
	return count, nil
}

// functionNames reads the names of functions, by their numbers, from a name section's content.
func functionNames(content []byte) (map[int]string, error) {
	const ofFunctions = 1
	names := map[int]string{}
	for r := (reader{content}); len(r.rest) > 0; {
		kind, err := r.byte()
		if err != nil {
			return nil, err
		}
		list, err := r.counted()
		if err != nil {
			return nil, err
		}
		if kind != ofFunctions {
			continue
		}
		each := reader{list}
		n, err := each.number()
		if err != nil {
			return nil, err
		}
		for range n {
			number, err := each.number()
			if err != nil {
				return nil, err
			}
			name, err := each.counted()
			if err != nil {
				return nil, err
			}
			names[number] = string(name)
		}
	}
	return names, nil
}
