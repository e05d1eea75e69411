package theory_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"mmsim/cmd/mmsim/command"
	"mmsim/reports/result"
)

// The time-lapse shows every player who is in a match: its cells and its datacenters have as
// many players as the census. Only players whose match began in the warm-up period are
// missing, because observers do not see these matches. Without a warm-up period, no player is
// missing.
func TestTimelapseAgreesWithCensus(t *testing.T) {
	for _, warmup := range []string{"0s", "30m"} {
		out := filepath.Join(t.TempDir(), "out")
		args := []string{"run", "--quiet", "--out", out, "--duration", "4h", "--scale", "0.05",
			"--set", "clock.warmup=" + warmup, "--set", "match.length={mean: 12m, sd: 10m}",
			"--set", "output.plots=false", "--set", "output.html=false"}
		if code := command.Run(args, nil, io.Discard, os.Stderr); code != 0 {
			t.Fatalf("exit code %d", code)
		}
		result, err := result.Load(os.DirFS(out))
		if err != nil {
			t.Fatal(err)
		}
		if len(result.Timelapse) < 100 {
			t.Fatalf("got %d frames in 4 h, want at least 100", len(result.Timelapse))
		}
		missing := 0
		for _, f := range result.Timelapse {
			cells, load := 0, 0
			for _, c := range f.Cells {
				cells += int(c.Players)
			}
			for _, n := range f.Load {
				load += n
			}
			playing := result.Series[f.T/60].Playing
			if cells != load || cells > playing || cells == 0 {
				t.Fatalf("warm-up %s, at %d s: got %d players in cells, %d in datacenters and %d in matches, want the first two equal, above 0 and at most the third", warmup, f.T, cells, load, playing)
			}
			missing += playing - cells
		}
		if (missing == 0) != (warmup == "0s") {
			t.Errorf("warm-up %s: got %d players missing in the frames, want none if and only if there is no warm-up", warmup, missing)
		}
	}
}
