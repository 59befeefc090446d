//go:build !js

package install

func (i *Installation) connect() {}
func install()                   {}
