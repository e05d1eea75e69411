package joinfile

import (
	"strings"
	"testing"
)

// Values of attributes are limited, so that their sums and squares are finite.
func TestNumbersOfColumnsAreBounded(t *testing.T) {
	const head = "time,latitude,longitude,mmr\n00:00:01,50,8,"
	for _, number := range []string{"1e100", "-1e100", "1e-300", "0"} {
		if _, err := Read(strings.NewReader(head+number+"\n"), "day.csv", Options{}); err != nil {
			t.Errorf("%s: got error %v, want the number accepted", number, err)
		}
	}
	for _, number := range []string{"1e101", "-1e300", "1.7e308"} {
		_, err := Read(strings.NewReader(head+number+"\n"), "day.csv", Options{})
		want := `day.csv:2:15: "` + number + `" in column "mmr": expected a number from -1e+100 to 1e+100 (MaxNumber)`
		if err == nil || err.Error() != want {
			t.Errorf("%s: got error %v, want %s", number, err, want)
		}
	}
}
