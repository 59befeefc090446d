//go:build !js

package install

// Outside a browser there is no installation.

func (i *Installation) connect() {}
func install()                   {}
