// Package version holds the version of deepemd: one number for the command, the
// engine, the JavaScript package and the files they write. A test in
// tools/release compares it with package.json and the change log.
package version

// Current is the version of this source, by the rules of semantic versioning
// (https://semver.org), without the v that Go puts in front of a tag.
const Current = "0.1.0"
