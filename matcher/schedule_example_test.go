package matcher_test

import (
	"fmt"

	"mmsim/matcher"
)

// ExampleSchedule_At prints two thresholds that change with the wait.
func ExampleSchedule_At() {
	linear := matcher.Linear(10, 5, 18, 10_000)
	custom := matcher.Custom(10, 10_000, []matcher.Override{{Value: 12}, {Inactive: true}, {Value: 30}})
	for _, waitMS := range []int64{0, 9999, 10_000, 20_000, 90_000} {
		a, _ := linear.At(waitMS)
		b, active := custom.At(waitMS)
		fmt.Println(waitMS, a, b, active)
	}
	// Output:
	// 0 10 12 true
	// 9999 10 12 true
	// 10000 15 10 false
	// 20000 18 30 true
	// 90000 18 30 true
}
