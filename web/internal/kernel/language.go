package kernel

import "github.com/deepemd/deepemd/web/internal/texts"

// Language holds the page's texts, for images or sounds.
type Language struct {
	Part
	kind  string
	texts *texts.Texts
}

func newLanguage(s *Kernel, kind string, language *texts.Texts) *Language {
	return &Language{Part: Part{K: s}, kind: kind, texts: language.For(kind)}
}

// Texts returns the page's texts in its language.
func (l *Language) Texts() *texts.Texts { return get(&l.Part, &l.texts) }

// use changes the language.
func (l *Language) use(language *texts.Texts) {
	l.Update(func() { l.texts = language.For(l.kind) })
}
