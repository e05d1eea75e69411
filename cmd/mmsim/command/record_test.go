package command

import (
	"context"
	"errors"
	"testing"

	"mmsim/cmd/mmsim/commandtest"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
)

// A run that ends before the first message, as an interrupted one may, does not replace an earlier
// recording by an empty one.
func TestEarlierRecordingStays(t *testing.T) {
	t.Chdir(t.TempDir())
	commandtest.Put(t, ".", map[string]string{"recorded.jsonl": "earlier"})
	in := experiment.NewInputs(config.Default())
	in.Config.External.Matcher = "exec:cat"
	for _, c := range []struct {
		fault error
		want  string
	}{{context.Canceled, "earlier"}, {nil, "earlier"}} {
		r := &runCommand{record: "recorded.jsonl"}
		done, err := r.recording(in, &experiment.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := done(c.fault); !errors.Is(err, c.fault) {
			t.Errorf("got error %v, want %v", err, c.fault)
		}
		if got := commandtest.Read(t, "recorded.jsonl"); got != c.want {
			t.Errorf("after error %v: got %q, want %q", c.fault, got, c.want)
		}
	}
	if found := tree(t, "."); len(found) != 1 {
		t.Errorf("got files %v, want only the recording", found)
	}
}
