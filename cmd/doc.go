// Package cmd has the sources of the packages below it that do jobs.
package cmd

import "embed"

// Sources are the source files of these packages, see sim.Sources. Packages that only decide or print
// are missing, and so is generated code. They are embedded here, because go:embed reaches only
// files below its own folder.
//
//go:embed doc.go mmsim/build/[a-z]*[^t].go mmsim/config/[a-z]*[^t].go mmsim/config/*/[a-z]*[^t].go mmsim/disk/[a-z]*[^t].go
//go:embed mmsim/experiment/[a-z]*[^t].go mmsim/experiment/*/[a-z]*[^t].go mmsim/input/[a-z]*[^t].go
//go:embed mmsim/matchmaker/[a-z]*[^t].go mmsim/matchmaker/*/[a-z]*[^t].go
//go:embed mmsim/resultdir/[a-z]*[^t].go mmsim/results/[a-z]*[^t].go mmsim/value/[a-z]*[^t].go
//go:embed mmsim/workers/[a-z]*[^t].go mmsim/workers/*/[a-z]*[^t].go mmsim/yamltree/[a-z]*[^t].go
//go:embed mmsim/config/[a-z]*[^s]t.go mmsim/config/*/[a-z]*[^s]t.go mmsim/experiment/[a-z]*[^s]t.go mmsim/experiment/*/[a-z]*[^s]t.go mmsim/input/[a-z]*[^s]t.go
//go:embed mmsim/matchmaker/*/[a-z]*[^s]t.go mmsim/resultdir/[a-z]*[^s]t.go mmsim/results/[a-z]*[^s]t.go mmsim/value/[a-z]*[^s]t.go
//go:embed mmsim/workers/*/[a-z]*[^s]t.go
//go:embed mmsim/experiment/*/[a-z]*[^t]est.go mmsim/input/[a-z]*[^t]est.go mmsim/matchmaker/[a-z]*[^t]est.go
var Sources embed.FS
