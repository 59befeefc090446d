package verb

import "runtime/debug"

// Commit returns the commit of the build, with "+changes" if files were changed since, or "" if the
// build recorded none.
func Commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	commit, changed := "", ""
	for _, setting := range info.Settings {
		switch {
		case setting.Key == "vcs.revision":
			commit = setting.Value[:min(12, len(setting.Value))]
		case setting.Key == "vcs.modified" && setting.Value == "true":
			changed = "+changes"
		}
	}
	if commit == "" {
		return ""
	}
	return commit + changed
}
