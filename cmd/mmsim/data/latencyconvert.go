package data

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/latencymap"
	"mmsim/matcher/dialect/jsontree"
)

func newLatencyConvertCommand(s *terminal.Streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Write a latency map in another format",
		Long: `Check a latency map, and write it in another format. The extension of OUT selects the format:

  .bin    360x180 little-endian float32, in ms
  .png    8-bit greyscale, in whole ms; 255 means 255 ms or more

If the conversion loses information, a warning says what.`,
		Example: `  mmsim latency convert latency_london.bin latency_london.png
  mmsim latency convert latency_london.png maps/latency_london.bin`,
		RunE: func(_ *cobra.Command, args []string) error { return convertMap(s, args[0], args[1]) },
	}
	return c
}

func convertMap(s *terminal.Streams, in, out string) error {
	for _, file := range []string{in, out} {
		if ext := filepath.Ext(file); ext != ".bin" && ext != ".png" {
			return input.Badf("%s: got %q, expected a latency map named .bin or .png", file, ext)
		}
	}
	if err := resultdir.CheckFile(out); err != nil {
		return err
	}
	f, err := os.Open(in)
	if err != nil {
		return input.Bad(input.Error(in, err))
	}
	defer f.Close()
	grid, err := latencymap.ReadMap(f, in)
	if err != nil {
		return input.Bad(input.ReaderError(in, err))
	}
	cli.WriteWarnings(s, jsontree.Unplaced(conversionWarnings(in, out, grid)...))
	return resultdir.WriteFile(out, func(w io.Writer) error { return latencymap.WriteMap(w, out, grid) })
}

// conversionWarnings returns warnings about values that the format of the output file cannot
// represent.
func conversionWarnings(in, out string, grid *latencymap.Grid) []string {
	var warnings []string
	if n := grid.Invalid(); n > 0 {
		warnings = append(warnings, fmt.Sprintf("%s: %s NaN, infinite or negative: written as no sample", in, input.Counted(n, "cell")))
	}
	if filepath.Ext(out) != ".png" {
		return warnings
	}
	above, rounded := 0, 0
	for cell := range latencymap.Cells {
		ms, ok := grid.At(cell)
		switch {
		case ok && ms > math.MaxUint8:
			above++
		case ok && float64(ms) != math.Trunc(float64(ms)):
			rounded++
		}
	}
	if above > 0 {
		warnings = append(warnings, fmt.Sprintf("%s: %s above 255 ms: written as 255", in, input.Counted(above, "cell")))
	}
	if rounded > 0 {
		warnings = append(warnings, fmt.Sprintf("%s: %s rounded to whole milliseconds", in, input.Counted(rounded, "cell")))
	}
	return warnings
}
