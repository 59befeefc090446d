package jpeg

// A progressive file may send each bit of each coefficient in a scan of its own, 2646
// scans of a colour picture, and a scan of a large picture takes a few hundred bytes
// when nothing changes. Encoders send a coefficient in two to four passes.
//
// A unit of work is what a coefficient takes that is looked at once, between one and two
// nanoseconds (BenchmarkScans).
const (
	// workFree is so little that a small picture may have all the scans that there can be.
	workFree = 1 << 26
	// workPerBlock is above what encoders take: libjpeg's script goes over luma, of which
	// there is the most, in 6 scans with 335 units, others in up to 10 with 500.
	workPerBlock = 512
	// workVisit is what coming to a block costs, beside its coefficients.
	workVisit = 24
)

// checkScans walks over the scans that are to come, without decoding any, and returns
// ErrScans when they take more work than those of encoders do. Faults are passed over:
// decoding finds them.
func (d *Decoder) checkScans() error {
	if !d.progressive {
		return nil // every component has one scan
	}
	most := workFree + workPerBlock*int64(d.blocks())
	for ahead := *d; ; {
		p, err := ahead.payload()
		if err != nil {
			return nil
		}
		s, err := ahead.scanHeader(p)
		if err != nil {
			return nil
		}
		for _, c := range s.components {
			most -= int64(c.blocksX*c.blocksY) * int64(workVisit+1+max(0, s.end-s.start))
		}
		if most < 0 {
			return ErrScans
		}
		if found, err := ahead.nextScan(); err != nil || !found {
			return nil
		}
	}
}
