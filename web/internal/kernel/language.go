package kernel

import "github.com/deepemd/deepemd/web/internal/texts"

// Language holds the page's texts, for images or sounds.
type Language struct {
	Part
	kind  string
	texts *texts.Texts
}
