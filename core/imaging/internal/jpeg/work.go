package jpeg

// A progressive file may send each bit of each coefficient in a separate scan, 2646 scans for a
// color picture, and a scan without changes takes a few hundred bytes for a large picture. Encoders
// send a coefficient in two to four passes.
//
// A unit of work is one visit to one coefficient, between one and two nanoseconds (BenchmarkScans).
const (
	// workFree allows a small picture any number of scans.
	workFree = 1 << 26
	// workPerBlock exceeds the work of encoders: libjpeg's script takes 6 scans and 335 units per
	// luma block, others up to 10 scans and 500 units.
	workPerBlock = 512
	// workVisit is the work per block besides its coefficients.
	workVisit = 24
)

// checkScans counts the work of all scans without decoding, and returns ErrScans if it exceeds that
// of encoders. Decode reports other errors.
func (d *Decoder) checkScans() error {
	if !d.progressive {
		return nil
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
