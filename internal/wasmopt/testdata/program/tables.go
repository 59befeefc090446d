package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
)

type rescuer struct{ name string }

func (r rescuer) rescue() {
	if v := recover(); v != nil {
		fmt.Println(r.name, "recovers", v)
	}
}

func (r *rescuer) rescueByPointer() { r.rescueHere() }

func (r *rescuer) rescueHere() {
	if v := recover(); v != nil {
		fmt.Println(r.name, "must not recover", v)
	}
}

type embedding struct{ rescuer }

type rescues interface{ rescue() }

// guarded runs f and says what it panics with.
func guarded(f func()) {
	defer func() {
		if v := recover(); v != nil {
			fmt.Println("left over:", v)
		}
	}()
	f()
}

func indirectly() { recover() }

// deep needs a stack that grows, with pointers in every frame.
func deep(n int) int {
	if n == 0 {
		runtime.GC()
		return 0
	}
	var pad [40]int
	p := &rescuer{strings.Repeat("x", n%7)}
	pad[n%40] = deep(n - 1)
	if len(p.name) != n%7 {
		panic("what the stack points to is gone")
	}
	return pad[n%40] + len(p.name)
}

// tables says whether a recover counts, what lies on a deep stack while garbage is collected,
// and how a panic ends.
func tables() {
	guarded(func() { defer rescuer{"a method"}.rescue(); panic(1) })
	guarded(func() { var r rescues = rescuer{"an interface"}; defer r.rescue(); panic(2) })
	guarded(func() { var r rescues = embedding{rescuer{"an embedded method"}}; defer r.rescue(); panic(3) })
	guarded(func() { var r rescues = &embedding{rescuer{"a pointer's"}}; defer r.rescue(); panic(4) })
	guarded(func() { f := rescuer{"a method's value"}.rescue; defer f(); panic(5) })
	guarded(func() { defer (&rescuer{"a method of a method"}).rescueByPointer(); panic(6) })
	guarded(func() { defer indirectly(); panic("recover is its own call") })
	guarded(func() { defer func() { indirectly() }(); panic(8) })
	guarded(func() { defer func() { func() { recover() }() }(); panic(9) })
	guarded(func() { var list []int; _ = list[len(os.Args)] })
	guarded(func() { var r *rescuer; _ = r.name })

	var wait sync.WaitGroup
	sums := make([]int, 100)
	var garbage sync.Map
	for i := range sums {
		wait.Go(func() {
			sums[i] = deep(50 + i)
			garbage.Store(i%10, make([]byte, 10_000))
		})
	}
	wait.Wait()
	debug.SetGCPercent(5)
	fmt.Println(deep(20_000), sums[0], sums[99])

	pc, file, line, ok := runtime.Caller(0)
	fmt.Println(runtime.FuncForPC(pc).Name(), ok)
	fmt.Fprintln(os.Stderr, file, line)
	defer fmt.Println("deferred calls run")
	func() { _ = sums[len(sums)] }()
}
