package experiment

import "runtime/debug"

// Version is the module's version as the build recorded it. Of a build from a
// clone the go command records the commit; go run, and a build without version
// control, are "(devel)". It goes into results, whose bytes are equal for equal
// binaries.
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
