package main

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// negativeNumbers is the annotation of commands whose arguments may be negative
// numbers, which a flag parser takes for flags.
const negativeNumbers = "mmsim_negative_numbers"

// protectNegatives puts a space before negative numbers among the arguments of
// a command that asks for it. The command trims it off; the flag parser sees an
// argument. `--` before the numbers works as everywhere.
func protectNegatives(root *cobra.Command, args []string) []string {
	c, _, err := root.Find(args)
	if err != nil {
		return args
	}
	if _, asks := c.Annotations[negativeNumbers]; !asks {
		return args
	}
	protected := make([]string, len(args))
	for i, arg := range args {
		if _, err := strconv.ParseFloat(arg, 64); err == nil && strings.HasPrefix(arg, "-") {
			arg = " " + arg
		}
		protected[i] = arg
	}
	return protected
}
