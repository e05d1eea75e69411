package exchange

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// Answers above a limit are refused before they are decoded, which would take many times their size.
func TestAnswersAreLimited(t *testing.T) {
	const proposal = `{"tickets":["x"]}`
	proposals := func(n int) string { return `{"matches":[` + strings.Repeat(proposal+",", n-1) + proposal + `]}` }
	ids := func(n int) string { return `{"matches":[{"tickets":[` + strings.Repeat(`"x",`, n-1) + `"x"]}]}` }
	for name, test := range map[string]struct {
		line string
		want error
	}{
		"few":                 {proposals(3), nil},
		"the most proposals":  {proposals(MaxProposals), nil},
		"too many proposals":  {proposals(MaxProposals + 2), ErrProposals},
		"2.9 M proposals":     {proposals(2_900_000), ErrProposals},
		"2.9 M ids":           {ids(2_900_000), errValues},
		"ids below the limit": {ids(MaxValues - 10), nil},
		"braces in a text":    {`{"why":{"t1":"` + strings.Repeat("{", MaxProposals*2) + `"}}`, nil},
		"commas in a text":    {`{"why":{"t1":"` + strings.Repeat(",", MaxValues) + `"}}`, nil},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		answer, err := ReadAnswer([]byte(test.line))
		runtime.ReadMemStats(&after)
		if !errors.Is(err, test.want) || (err == nil) != (answer != nil) {
			t.Errorf("%s: got error %v, want %v", name, err, test.want)
		}
		if used := after.TotalAlloc - before.TotalAlloc; test.want != nil && used > uint64(2*len(test.line)+1<<20) {
			t.Errorf("%s: refusing the line took %d bytes of memory, want at most twice its %d bytes", name, used, len(test.line))
		}
	}
}

// A hello is limited as a whole and in its name and version. Both limits are inclusive.
func TestHelloIsLimited(t *testing.T) {
	line := func(name, version int) []byte {
		return fmt.Appendf(nil, `{"hello":1,"name":%q,"version":%q}`, strings.Repeat("n", name), strings.Repeat("1", version))
	}
	for _, test := range []struct {
		name, version int
		want          string
	}{
		{MaxName, MaxName, ""},
		{MaxName + 1, 0, `"name" in its hello has 1025 bytes, expected at most 1024 (MaxName)`},
		{0, MaxName + 1, `"version" in its hello has 1025 bytes, expected at most 1024 (MaxName)`},
		{20 << 20, 0, "its answer to the hello is longer than 64 KB (MaxHello)"},
	} {
		_, err := ReadHello(line(test.name, test.version))
		if got := fmt.Sprint(err); test.want == "" && err != nil || test.want != "" && got != test.want {
			t.Errorf("a name of %d bytes and a version of %d: got error %v, want %q", test.name, test.version, err, test.want)
		}
	}
}

// Texts of a matchmaker are cut between characters, so that messages and results stay short.
func TestTextsAreCut(t *testing.T) {
	long := strings.Repeat("é", 1<<20)
	_, err := ReadAnswer([]byte(`{"error":"` + long + `"}`))
	reported := (*ReportedError)(nil)
	if want := strings.Repeat("é", MaxText/2) + "…"; !errors.As(err, &reported) || reported.Text != want {
		t.Errorf("got an error of %d bytes, want the first %d bytes of the text", len(fmt.Sprint(err)), MaxText)
	}
	answer, err := ReadAnswer([]byte(`{"why":{"t1":"a` + long + `"}}`))
	if want := "a" + strings.Repeat("é", MaxText/2-1) + "…"; err != nil || len(answer.Why) != 1 || answer.Why["t1"] != want {
		t.Errorf("got error %v, want a reason of at most %d bytes", err, MaxText)
	}
}
