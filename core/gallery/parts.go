package gallery

import "sync"

// leastPart is the least number of values that is worth a thread's start.
const leastPart = 1024

// inParts calls work for consecutive parts of n values, each on a thread of its
// own, of at most so many, and returns when all are done.
func inParts(n, threads int, work func(from, to int)) {
	each := max(leastPart, (n+threads-1)/threads)
	if n <= each {
		work(0, n)
		return
	}
	var group sync.WaitGroup
	for from := 0; from < n; from += each {
		group.Go(func() { work(from, min(from+each, n)) })
	}
	group.Wait()
}
