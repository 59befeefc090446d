package kernel

// Weights is the network that the engine runs, or should run.
type Weights struct {
	Own      *OwnNetwork // the user's own; nil for a network that comes with the page
	Supplied string      // the page's network, named as in networks.js
}

// Names of the page's networks. Projects may name others, see [Made].
const (
	Usual = "pictures"
	Small = "small" // for slow devices
)

// Small reports whether the page's network is the small one.
func (w Weights) Small() bool { return w.Supplied == Small }

// OwnNetwork is the user's own network.
type OwnNetwork struct {
	Name  string
	Arch  string // its architecture, as weights files name it; "" if the file does not say
	Bytes int    // size of the file
	File  Source // its content, which the kernel only hands on; nil once the device keeps it
}

// PageBytes returns the approximate size of a shared page that contains the network. Half floats
// hardly compress, and base85 writes four bytes as five digits. The program is most of the rest.
func (n *OwnNetwork) PageBytes() float64 { return 1.17*float64(n.Bytes) + 1.5e6 }

// Weights returns the network in use.
func (s *Setup) Weights() Weights { return Get(&s.Part, &s.weights) }

// SetWeights records the network that the user has chosen and the engine runs.
func (s *Setup) SetWeights(w Weights) { s.Update(func() { s.weights, s.chosen = w, w }) }

// Chosen returns the network that the user has chosen. The engine runs another one while a project
// is open that another of the page's networks taught.
func (s *Setup) Chosen() Weights { return Get(&s.Part, &s.chosen) }
