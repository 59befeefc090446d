// Command program jumps in all the ways that Go has, and asks the runtime everything that its
// tables answer. It ends in a panic.
package main

func main() {
	jumps()
	tables()
}
