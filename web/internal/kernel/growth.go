package kernel

// Growth says how recognition grew with the examples, as deepemd.js found it.
type Growth struct {
	Done, Total int // draws of examples
	Points      []GrowthPoint
	Classes     []GrowthClass
}

// GrowthPoint is how many examples are recognised by so many others of each class.
type GrowthPoint struct {
	Examples int     // of each class; in the last point all others
	Right    float64 // share of the examples
	Spread   float64 // its standard deviation between draws
}

// GrowthClass is how many examples of a class are recognised: of each point, how many and
// of how many.
type GrowthClass struct {
	ID           string
	Right, Asked []int
}

// Share is the share of a class's examples that are recognised in a point; ok is false
// where none were asked about.
func (c GrowthClass) Share(point int) (share float64, ok bool) {
	if point >= len(c.Asked) || c.Asked[point] == 0 {
		return 0, false
	}
	return float64(c.Right[point]) / float64(c.Asked[point]), true
}
