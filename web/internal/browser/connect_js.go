package browser

import "github.com/deepemd/deepemd/web/internal/session"

// Connect hands the session everything that the browser has for it.
func Connect(s *session.Session) {
	if s.Project.OfSounds() {
		connectMicrophone(s)
	} else {
		connectCamera(s)
		connectSpared(s)
		connectShutter(s)
	}
	connectStore(s)
	connectLessons(s)
	connectKeys(s)
	connectEffects(s)
	connectEngine(s)
	connectInstallation(s)
	connectMemory()
}
