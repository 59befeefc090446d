// Package feature lists the features of the studio. Each is one folder with its state, components,
// style sheet and calls of the browser. A feature imports the kernel and the packages that all pages
// share, but no other feature.
//
// To add a feature, make a folder with a function Add, which follows the kernel and fills places of
// the page, and an entry in the list; web/internal/tests/studio/testdata/template is one to copy.
// To remove it, remove both.
package feature

import (
	"github.com/deepemd/deepemd/web/internal/feature/actions"
	"github.com/deepemd/deepemd/web/internal/feature/capture"
	"github.com/deepemd/deepemd/web/internal/feature/framing"
	"github.com/deepemd/deepemd/web/internal/feature/fullscreen"
	"github.com/deepemd/deepemd/web/internal/feature/growth"
	"github.com/deepemd/deepemd/web/internal/feature/guide"
	"github.com/deepemd/deepemd/web/internal/feature/importing"
	"github.com/deepemd/deepemd/web/internal/feature/install"
	"github.com/deepemd/deepemd/web/internal/feature/lesson"
	"github.com/deepemd/deepemd/web/internal/feature/network"
	"github.com/deepemd/deepemd/web/internal/feature/privacy"
	"github.com/deepemd/deepemd/web/internal/feature/projects"
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

// all lists the features. They follow the kernel, and fill places of the page, in this order.
var all = []func(*kernel.Kernel, *ui.Page){
	network.Add,
	framing.Add,
	why.Add,
	capture.Add,
	fullscreen.Add,
	actions.Add,
	lesson.Add,
	guide.Add,
	importing.Add,
	growth.Add,
	review.Add,
	trial.Add,
	training.Add,
	install.Add,
	sharing.Add,
	projects.Add,
	privacy.Add,
}

// Studio returns the page for projects of a kind, in a language, with all features.
func Studio(kind string, language *texts.Texts) *view.Studio {
	return view.New(kernel.New(kind, language), all...)
}
