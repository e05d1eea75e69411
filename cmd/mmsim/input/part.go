package input

import (
	"os"
	"strings"
)

// SplitPart splits the name FILE#PART of a part of a file, such as queues.json#Ranked. If a file has
// the whole name, the part is empty. A name that ends in # also has an empty part.
func SplitPart(name string) (file, part string) {
	cut := strings.LastIndexByte(name, '#')
	if cut < 0 || strings.ContainsAny(name[cut:], `/\`) {
		return name, ""
	}
	if _, err := os.Stat(name); err == nil {
		return name, ""
	}
	return name[:cut], name[cut+1:]
}

// JoinPart returns the name that SplitPart splits into file and part, whether or not a file has that
// name.
func JoinPart(file, part string) string {
	if part == "" && !strings.Contains(file, "#") {
		return file
	}
	return file + "#" + part
}
