//go:build !js

package install

// Outside a browser nothing is installed.

func (i *Installation) connect() {}
func install()                   {}
