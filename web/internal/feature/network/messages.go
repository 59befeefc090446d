package network

import (
	"cmp"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Codes of errors about network files, besides the engine's.
const (
	codeCut     = "cut-weights"     // a file whose end is missing
	codeDamaged = "damaged-weights" // the network that the browser kept is incomplete
)

// noticeNetwork is the key of notices about networks.
const noticeNetwork = "network"

// otherNetwork reports that another network trained the project, and offers it if the page
// has it.
func otherNetwork(made, now string, offer *kernel.Offer) kernel.Notice {
	return kernel.Tell(noticeNetwork, offer, func(t *texts.Texts) (title, text string) {
		if offer != nil {
			return t.Network.Other(made), t.Network.OtherOffer(made, now)
		}
		return t.Network.Other(made), t.Network.OtherText(now, made)
	})
}

func reason(t *texts.Texts, err error) string {
	reasons := map[string]string{
		codeCut: t.Network.Cut, codeDamaged: t.Network.Damaged, kernel.CodeFull: t.Network.Full, kernel.CodeNoStore: t.Project.NoStore,
	}
	return cmp.Or(reasons[kernel.CodeOf(err)], kernel.Reason(t, err))
}
