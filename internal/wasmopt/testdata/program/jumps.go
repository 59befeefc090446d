package main

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
)

// sieve has loops in loops without calls.
func sieve(n int) (count, last int) {
	crossed := make([]bool, n)
	for i := 2; i < n; i++ {
		if crossed[i] {
			continue
		}
		count, last = count+1, i
		for j := i * i; j < n; j += i {
			crossed[j] = true
		}
	}
	return count, last
}

// labeled leaves loops and goes on in them from far inside.
func labeled(n int) (sum int) {
rows:
	for i := range n {
		for j := range n {
			switch {
			case i*j > 3*n:
				break rows
			case j > i:
				continue rows
			case (i+j)%3 == 0:
				continue
			}
			sum += i ^ j
		}
	}
	return sum
}

// loopOfGotos comes into a loop at two places.
func loopOfGotos(n int) (steps int) {
	if n%2 == 0 {
		goto even
	}
odd:
	n = 3*n + 1
	steps++
even:
	n /= 2
	steps++
	if n == 1 {
		return steps
	}
	if n%2 == 0 {
		goto even
	}
	goto odd
}

// state is a switch in a loop, as parsers have it.
func state(text string) (words, numbers int) {
	const (
		between = iota
		word
		number
	)
	at := between
	for _, r := range text {
		switch {
		case r == ' ':
			at = between
		case r >= '0' && r <= '9' && at == between:
			numbers++
			at = number
		case at == between:
			words++
			at = word
		}
	}
	return words, numbers
}

// waiting goes on in the middle of loops after others ran.
func waiting(n int) (sum int) {
	numbers, squares, done := make(chan int), make(chan int, 3), make(chan bool)
	go func() {
		for i := range n {
			numbers <- i
			if i%7 == 0 {
				runtime.Gosched()
			}
		}
		close(numbers)
	}()
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			for v := range numbers {
				squares <- v * v
			}
		})
	}
	go func() { group.Wait(); close(done) }()
	for {
		select {
		case v := <-squares:
			sum += v
		case <-done:
			for {
				select {
				case v := <-squares:
					sum += v
				default:
					return sum
				}
			}
		}
	}
}

// recovering goes on at the end of functions that panic, in a loop and out of it.
func recovering(n int) (caught int) {
	for i := range n {
		func() {
			defer func() {
				if v := recover(); v != nil {
					caught += i
				}
			}()
			for j := range n {
				if j == i && i%2 == 0 {
					panic("even")
				}
			}
		}()
	}
	return caught
}

// each is an iterator that is left early.
func each(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func iterated(n int) (sum int) {
	for i := range each(n) {
		for j := range each(n) {
			if j > i {
				break
			}
			if i+j > n {
				return sum
			}
			sum += j
		}
	}
	return sum
}

// jumps says where every kind of jump came.
func jumps() {
	fmt.Println(sieve(20_000))
	fmt.Println(labeled(60))
	for n := range 30 {
		fmt.Print(loopOfGotos(n+2), " ")
	}
	fmt.Println()
	fmt.Println(state(strings.Repeat("one 2 three 45 6x ", 20)))
	fmt.Println(waiting(500))
	fmt.Println(recovering(20))
	fmt.Println(iterated(40))
}
