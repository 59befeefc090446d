package network

import (
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
)

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

// reason is kernel.Reason, but a network that does not fit needs other remedies than a project.
func reason(t *texts.Texts, err error) string {
	if kernel.CodeOf(err) == kernel.CodeFull {
		return t.Network.Full
	}
	return kernel.Reason(t, err)
}
