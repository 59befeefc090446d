package kernel

import "github.com/deepemd/deepemd/web/internal/texts"

// Language is the language that the page speaks, of pictures or of sounds.
type Language struct {
	Part
	kind  string
	texts *texts.Texts
}

func newLanguage(s *Kernel, kind string, language *texts.Texts) *Language {
	return &Language{Part: Part{K: s}, kind: kind, texts: language.For(kind)}
}

// Texts are what the page says now.
func (l *Language) Texts() *texts.Texts {
	l.Lock()
	defer l.Unlock()
	return l.texts
}

// use goes over to another language.
func (l *Language) use(language *texts.Texts) {
	l.Update(func() { l.texts = language.For(l.kind) })
}
