package browser

// The themes that a person can choose.
const (
	ThemeSystem = "system" // what the device prefers
	ThemeLight  = "light"
	ThemeDark   = "dark"
)
