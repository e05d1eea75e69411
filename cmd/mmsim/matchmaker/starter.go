package matchmaker

import "embed"

// Starter is what `mmsim matcher init` writes, in the folder starter.
//
//go:embed starter
var Starter embed.FS
