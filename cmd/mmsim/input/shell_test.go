package input

import "testing"

// Words are quoted only if a shell would change them.
func TestShellCommand(t *testing.T) {
	for _, test := range []struct {
		words []string
		want  string
	}{
		{[]string{"mmsim", "run", "--set", "match.size=4"}, "mmsim run --set match.size=4"},
		{[]string{"--set", "states.ideal={rtt: 40ms}"}, `--set 'states.ideal={rtt: 40ms}'`},
		{[]string{"it's", "", "$HOME", "a;b", "été.yaml"}, `'it'\''s' '' '$HOME' 'a;b' été.yaml`},
	} {
		if got := ShellCommand(test.words); got != test.want {
			t.Errorf("%q: got %s, want %s", test.words, got, test.want)
		}
	}
}
