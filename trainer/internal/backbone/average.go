package backbone

// Average keeps an exponential moving average of weights. The running statistics
// of batch normalisation do not fit the averaged weights: measure them again.
type Average struct {
	Decay   float64
	Threads int

	params []*Param
	values [][]float32
	steps  int
}

// NewAverage starts an average at the present weights.
func NewAverage(params []*Param, decay float64, threads int) *Average {
	a := &Average{Decay: decay, Threads: threads, params: params}
	for _, p := range params {
		a.values = append(a.values, append([]float32(nil), p.Value...))
	}
	return a
}

// Values are the averages, one slice a parameter, for checkpoints; Steps is how
// many updates they have seen.
func (a *Average) Values() [][]float32 { return a.values }

// Steps is the number of updates.
func (a *Average) Steps() int { return a.steps }

// SetSteps restores the number of updates.
func (a *Average) SetSteps(steps int) { a.steps = steps }

// Update moves the average towards the present weights. The first updates
// weigh more, (1 + n)/(10 + n), so that the start is soon forgotten.
func (a *Average) Update() {
	decay := min(a.Decay, float64(1+a.steps)/float64(10+a.steps))
	a.steps++
	keep := float32(decay)
	each(a.params, a.Threads, func(i, from, to int) {
		values := a.values[i][from:to]
		for j, v := range a.params[i].Value[from:to] {
			values[j] += (1 - keep) * (v - values[j])
		}
	})
}

// Swap exchanges the weights with their averages; a second call undoes it.
func (a *Average) Swap() {
	for i, p := range a.params {
		for j, v := range p.Value {
			p.Value[j], a.values[i][j] = a.values[i][j], v
		}
		if p.Changed != nil {
			p.Changed()
		}
	}
}
