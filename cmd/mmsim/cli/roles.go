package cli

import (
	"cmp"

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

// flagRoles has the role of every flag with a value. A flag has the same role in all commands,
// except where an entry names the command, too.
var flagRoles = map[string]Role{
	// the configuration; its files are checked when it is read
	"config": Reads, "set": Neither, "set-a": Neither, "set-b": Neither,
	"dataset": Reads, "map": Neither, "time-zone": Neither, "time-format": Neither, "date": Neither, "geoip": Reads,
	"days": Neither, "scale": Neither, "preset": Neither, "joins": Neither, "datacenters": Reads, "latency-maps": Reads,
	"seed": Neither, "duration": Neither, "placement": Neither,
	"rules": Reads, "events": Reads, "matcher": Reads, "profiles": Reads,
	"expansion-basis": Neither, "optional-basis": Neither, "budget": Neither, "batch": Neither, "partition-above": Neither,
	// what is simulated, and where
	"runs": Neither, "shard": Neither, "vary": Neither, "metrics": Neither, "jobs": Neither,
	"serve": Secret, "nats": Secret, "creds": Secret, "token-file": Secret,
	"gate": Reads, "baseline": Reads, "undecided": Neither, "run": Neither, "template": Neither,
	"from": Neither, "to": Neither, "max-bad-rows": Neither, "min-count": Neither, "fill": Neither, "datacenter": Neither,
	"limit": Neither, "top": Neither,
	// calibrate
	"players": Reads, "matches": Reads, "configuration": Neither, "map-end": Neither, "session-gap": Neither,
	"min-matches": Neither, "position": Neither, "day": Neither,
	// outputs
	"out": WritesFolder, "mmsim test new --out": WritesFile, "mmsim dataset gen --out": WritesFile,
	"mmsim latency render --out": WritesFile, "mmsim latency diff --out": WritesFile,
	"records": Neither, "capture": WritesFile, "junit": WritesFile,
	"live": Neither, "live-speed": Neither, "format": Neither,
}

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

// RoleOf returns the role of a flag of a command, or "" if the table does not have it.
func RoleOf(c *cobra.Command, flag string) Role {
	return cmp.Or(flagRoles[c.CommandPath()+" --"+flag], flagRoles[flag])
}

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
			list = append(list, namedFile{RoleOf(c, f.Name), "--" + f.Name, name})
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
