// Package trouble tests what the studio says when camera or engine fail, and that neither
// costs an example.
package trouble
