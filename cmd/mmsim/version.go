package main

import "runtime/debug"

// version is the module's version as the build recorded it; "(devel)" in a
// build from a checkout. It goes into results, so it holds no build time and no
// commit: equal sources give equal bytes.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
