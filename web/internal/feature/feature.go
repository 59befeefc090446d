// Package feature lists the features of the studio. Each is a folder of its own, which has
// its state, what it shows, its styles and what it needs of the browser. A feature stands on
// the kernel, and knows no other.
package feature

import (
	"github.com/deepemd/deepemd/web/internal/feature/actions"
	"github.com/deepemd/deepemd/web/internal/feature/growth"
	"github.com/deepemd/deepemd/web/internal/feature/install"
	"github.com/deepemd/deepemd/web/internal/feature/lesson"
	"github.com/deepemd/deepemd/web/internal/feature/review"
	"github.com/deepemd/deepemd/web/internal/feature/sharing"
	"github.com/deepemd/deepemd/web/internal/feature/training"
	"github.com/deepemd/deepemd/web/internal/feature/trial"
	"github.com/deepemd/deepemd/web/internal/feature/why"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
	"github.com/deepemd/deepemd/web/internal/view"
)

// all are the features, in the order in which they follow the kernel and are shown where
// several show something. Each adds itself to a page.
var all = []func(*kernel.Kernel, *ui.Page){
	why.Add,
	actions.Add,
	lesson.Add,
	growth.Add,
	review.Add,
	trial.Add,
	training.Add,
	install.Add,
	sharing.Add,
}

// Studio returns the page for projects of a kind, in a language, with all features.
func Studio(kind string, language *texts.Texts) *view.Studio {
	return view.New(kernel.New(kind, language), all...)
}
