package flags

import "fmt"

// Refuse returns an error if one of the named flags is given. why follows the flag's name.
func Refuse(given func(flag string) bool, why string, names ...string) error {
	for _, name := range names {
		if given(name) {
			return fmt.Errorf("--%s %s", name, why)
		}
	}
	return nil
}
