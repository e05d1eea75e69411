package command

import (
	"strings"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/gate"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/matchmaker"
	"mmsim/cmd/mmsim/matchmaker/service"
	"mmsim/cmd/mmsim/search"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/cmd/mmsim/tuning"
	"mmsim/cmd/mmsim/value"
	"mmsim/matcher/casefile"
)

// schemas lists the file formats that have a schema.
var schemas = []struct {
	name, title string
	takes       func() value.Schema
}{
	{"config", "mmsim configuration", config.Schema},
	{"gate", "mmsim gate", gate.Schema},
	{"sweep", "mmsim sweep", search.SweepSchema},
	{"tune", "mmsim tuning", tuning.Schema},
	{"site", "mmsim site search", search.SiteSchema},
	{"case", "mmsim case file", func() value.Schema { return casefile.Schema() }},
	{"matcher", "mmsim matchmaker message", matchmaker.Schema},
	{"profiles", "mmsim profiles of Open Match", service.ProfileSchema},
}

func schemaNames() []string {
	var names []string
	for _, s := range schemas {
		names = append(names, s.name)
	}
	return names
}

// schemaDocument returns the text of a schema.
func schemaDocument(name string) ([]byte, error) {
	for _, s := range schemas {
		if s.name == name {
			return s.takes().Document(s.title)
		}
	}
	return nil, input.Badf("unknown schema %q%s, expected %s", name, input.DidYouMean(name, schemaNames()), strings.Join(schemaNames(), ", "))
}

func newSchemaCommand(s *terminal.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "schema " + strings.Join(schemaNames(), "|"),
		Short: "Print the JSON Schema of a file format, for editors",
		Long: `Print the JSON Schema (draft 7) of a file format: a configuration, a gate file, the SPEC.yaml of
sweep, tune or site, a case file, Open Match profiles, or the messages between mmsim and your own
matchmaker. Editors use a schema to complete and check keys. A YAML file names its schema in a
comment, as in the files of "mmsim init":

  # yaml-language-server: $schema=schemas/config.json

JSON has no comments. For case files, set the schema in the settings of your editor. A schema checks
keys and single values; "mmsim validate" also checks whether the values fit together.`,
		Example: `  mmsim schema config > schemas/config.json
  mmsim schema case > schemas/case.json`,
		ValidArgs: schemaNames(),
		RunE: func(_ *cobra.Command, args []string) error {
			text, err := schemaDocument(args[0])
			if err != nil {
				return err
			}
			_, err = s.Out.Write(text)
			return err
		},
	}
}
