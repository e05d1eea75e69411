package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/matchmaker"
)

// A Role says what a command does with the file that a flag or an argument names.
type Role string

// The roles of flags and arguments.
const (
	Neither      Role = "neither reads nor writes" // a number, a word, an address
	Reads        Role = "reads"                    // a file or folder of input
	Secret       Role = "secret"                   // a secret or a file with one: read, and never shown
	WritesFile   Role = "writes a file"
	WritesFolder Role = "writes a folder" // a result directory, which is replaced as a whole
	Updates      Role = "updates"         // a folder that the command both reads and writes
)

// argumentRoles has the roles of the arguments of every command that takes some. The last role is
// that of all further arguments.
var argumentRoles = map[string][]Role{
	"mmsim check": {Reads}, "mmsim compare": {Reads}, "mmsim report": {Updates}, "mmsim worker": {Neither},
	"mmsim sweep": {Reads}, "mmsim sweep merge": {Updates, Reads}, "mmsim tune": {Reads}, "mmsim site": {Reads},
	"mmsim test": {Reads}, "mmsim test new": {Reads}, "mmsim match": {Reads}, "mmsim validate": {Reads},
	"mmsim matcher init": {Neither}, "mmsim matcher record": {WritesFile}, // init never replaces a file
	"mmsim dataset info": {Reads}, "mmsim dataset convert": {Reads, WritesFile}, "mmsim dataset datacenters": {Neither},
	"mmsim calibrate":     {Reads},
	"mmsim latency build": {Reads}, "mmsim latency convert": {Reads, WritesFile}, "mmsim latency diff": {Reads},
	"mmsim latency render": {Neither}, "mmsim latency lookup": {Neither},
	"mmsim init": {Neither}, "mmsim man": {Neither}, "mmsim schema": {Neither}, // man needs an empty folder
}

// roleAnnotation annotates a flag with its role.
const roleAnnotation = "mmsim_role"

// RoleOf returns the role of a flag, or "" if it was not declared in a Section.
func RoleOf(f *pflag.Flag) Role { return Role(strings.Join(f.Annotations[roleAnnotation], "")) }

// RoleOfArgument returns the role of the argument with the given index, or "" if the table does not
// have it.
func RoleOfArgument(c *cobra.Command, index int) Role {
	roles := argumentRoles[c.CommandPath()]
	if len(roles) == 0 {
		return ""
	}
	return roles[min(index, len(roles)-1)]
}

// namedFile is a file or folder that a command line names.
type namedFile struct {
	role Role
	by   string // what names it, such as "--junit", or "" for an argument
	name string
}

// namedFiles lists the files and folders that the flags and arguments of a command name, except
// those that are part of the configuration.
func namedFiles(c *cobra.Command) (list []namedFile) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		for _, name := range filesOf(f) {
			list = append(list, namedFile{RoleOf(f), "--" + f.Name, name})
		}
	})
	for i, name := range c.Flags().Args() {
		if file, _ := input.SplitPart(name); RoleOfArgument(c, i) == Reads {
			name = file
		}
		list = append(list, namedFile{RoleOfArgument(c, i), "", name})
	}
	return list
}

// filesOf lists the files that the value of a flag names.
func filesOf(f *pflag.Flag) []string {
	value := f.Value
	if named, is := value.(*namedValue); is {
		value = named.Value
	}
	switch value := value.(type) {
	case *setFlag, *shortFlag: // part of the configuration
		return nil
	case interface{ Files() []string }:
		return value.Files()
	}
	switch text := value.String(); {
	case text == "":
		return nil
	case f.Name == "matcher":
		return (&matchmaker.External{Matcher: text}).Reads()
	default:
		return []string{text}
	}
}
