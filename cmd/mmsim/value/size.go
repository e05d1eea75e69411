package value

import (
	"fmt"
	"strconv"
	"strings"

	"mmsim/cmd/mmsim/yamltree"
)

// units lists the units of sizes in descending order.
var units = []struct {
	name  string
	bytes int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}}

// Size returns a Value for a number of bytes, in whole MiB or GiB.
func Size(p *int64, low, high int64) Value {
	expects := fmt.Sprintf("a size from %s to %s in MiB or GiB, such as 512MiB", size(low), size(high))
	v := Scalar(p, expects, func() Schema { return PatternSchema(`^[0-9]+(MiB|GiB)$`) }, func(n yamltree.Node) (int64, bool) {
		for _, unit := range units {
			text, is := strings.CutSuffix(n.Text, unit.name)
			count, err := strconv.ParseUint(text, 10, 31)
			if bytes := int64(count) * unit.bytes; is && err == nil && bytes >= low && bytes <= high {
				return bytes, isText(n)
			}
		}
		return 0, false
	})
	v.Write = func(string) any { return size(*p) }
	return v
}

// size formats a number of bytes.
func size(bytes int64) string {
	for _, unit := range units {
		if bytes%unit.bytes == 0 {
			return strconv.FormatInt(bytes/unit.bytes, 10) + unit.name
		}
	}
	return strconv.FormatInt(bytes, 10)
}
