// Package then tests, in a browser, what happens when the studio sees a class: that it is
// done once, by what the browser has for it, and kept with the project.
package then
