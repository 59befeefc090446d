//go:build !js

package feature

import "embed"

// Styles has the style sheets of the features, which the site gathers. The studio's program
// is without them.
//
//go:embed */*.css
var Styles embed.FS
