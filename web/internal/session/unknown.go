package session

// Stranger says whether a picture is none of the classes.
type Stranger struct {
	Score    float64 // how well known it looks
	Balanced float64 // the threshold at a strictness of one half
}

// reach is how far the thresholds of strictness 0 and 1 lie from the balanced one,
// as deepemd.js has it.
const reach = 2.5

// Threshold is how well known a picture must look at a strictness from 0 to 1.
func Threshold(balanced, strictness float64) float64 { return balanced + (2*strictness-1)*reach }

// UnknownState is what a person chose about pictures of nothing that was taught.
type UnknownState struct {
	On         bool
	Strictness float64 // 0 lets most in, 1 turns most away
}

// UnknownSettings returns what was chosen.
func (s *Session) UnknownSettings() UnknownState {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.unknownSettings()
}

// unknownSettings is UnknownSettings. The lock is held.
func (s *Session) unknownSettings() UnknownState {
	return UnknownState{On: s.method.Strangers.Name, Strictness: s.method.Strangers.Strictness}
}

// LookForUnknown has pictures of nothing that was taught said to be unknown, or
// not.
func (s *Session) LookForUnknown(on bool) {
	s.update(func() { s.method.Strangers.Name = on }, Live, Reviews, Projects)
	s.touch()
	s.reclassify()
}

// SetStrictness moves the threshold, from 0 to 1.
func (s *Session) SetStrictness(strictness float64) {
	s.update(func() { s.method.Strangers.Strictness = min(max(strictness, 0), 1) }, Live, Reviews, Projects)
	s.touch()
}

// Unknown reports whether an answer is about a picture of nothing that was taught.
func (s *Session) Unknown(a Answer) bool {
	u := s.UnknownSettings()
	return u.On && a.Stranger != nil && a.Stranger.Score < Threshold(a.Stranger.Balanced, u.Strictness)
}
