package matchmaker

import "embed"

// Starter has the files that `mmsim matcher init` writes, in the folder starter.
//
//go:embed starter
var Starter embed.FS
