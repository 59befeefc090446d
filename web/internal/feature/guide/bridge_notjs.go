//go:build !js

package guide

// Outside a browser there is no guide.

func (d *Demo) fetch() {}
func guideRead()       {}
func hideGuide()       {}
func foldGuide(string) {}
func pressed() bool    { return false }
