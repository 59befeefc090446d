// Package improve tests giving the studio files, and improving what it learned: its examples
// reviewed, its modes compared, its answers tried on pictures of known classes.
package improve
