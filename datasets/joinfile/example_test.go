package joinfile

import (
	"fmt"
	"strings"

	"mmsim/datasets"
)

func ExampleRead() {
	file := strings.NewReader("time,latitude,longitude,mmr\n08:00:00,52.52,13.405,1500\n08:00:01.25,-0.005,13.405,\n")
	day, err := Read(file, "day.csv", Options{})
	if err != nil {
		panic(err)
	}
	mmr, _ := day.Column("mmr")
	for join := range day.Joins() {
		place := day.Places[join.Place]
		fmt.Println(join.MS(), place.Lat(), place.Lon(), mmr.Number(join.Row))
	}
	// Output:
	// 28800000 52.52 13.4 1500
	// 28801250 -0.01 13.4 NaN
}

func ExampleRead_error() {
	_, err := Read(strings.NewReader("00:00:00,52.52,13.405\n24:00:00,52.52,13.405\n"), "day.csv", Options{})
	fmt.Println(err)
	// Output: day.csv:2:1: time "24:00:00": expected HH:MM:SS[.fff], a date and a time such as 2026-03-14T15:04:05Z or 14.03.2026 15:04:05, or a number: seconds since midnight (below 86400), or seconds, milliseconds, microseconds or nanoseconds since 1970
}

func ExampleDay_Replay() {
	day, err := Read(strings.NewReader("08:00:00.5,52.52,13.40\n08:00:01.25,48.85,2.35\n"), "day.csv", Options{})
	if err != nil {
		panic(err)
	}
	replay := day.Replay(0, datasets.ReplayOptions{Days: 1, Scale: 1})
	for arrival, ok := replay.Next(); ok; arrival, ok = replay.Next() {
		fmt.Println(arrival.MS, len(arrival.Members), arrival.Members[0].Place)
	}
	// Output:
	// 28800500 1 0
	// 28801250 1 1
}
