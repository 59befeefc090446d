// Package classroom tests the studio as it is after a lesson: many classes of many examples,
// several people who add to them at once, names of all kinds, and what was done by mistake.
package classroom
