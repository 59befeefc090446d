// Package element tests <deep-emd> in a browser, as pages use it.
package element
