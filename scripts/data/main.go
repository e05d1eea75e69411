// Data makes the embedded data that is computed:
//
//	go run ./scripts/data zones                                # datasets/atlas/data/zones.zip
//	go run ./scripts/data stretch -maps maps/                  # latencymap/data/stretch_factors.csv
package main

import (
	"fmt"
	"os"
)

func main() {
	commands := map[string]func(arguments []string) error{"zones": zones, "stretch": fitStretch}
	var run func([]string) error
	if len(os.Args) > 1 {
		run = commands[os.Args[1]]
	}
	if run == nil {
		fmt.Fprintln(os.Stderr, "usage: go run ./scripts/data zones|stretch [FLAG...]")
		os.Exit(2)
	}
	if err := run(os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
