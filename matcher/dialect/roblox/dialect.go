package roblox

import (
	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
	"mmsim/matcher/scoring"
)

// Dialect returns the dialect of Roblox scoring configurations. The default configuration is empty,
// as for a place without settings.
func Dialect() vendor.Dialect {
	return vendor.Dialect{
		Name: "roblox", Title: "a Roblox scoring configuration", Default: "{}", Placement: true,
		Recognises: Recognises, Compile: compileRules,
	}
}

// compileRules compiles a configuration.
func compileRules(root jsontree.Value, o vendor.CompileOptions) (*vendor.CompiledRules, error) {
	config, warnings, err := compile(root, o)
	if err != nil {
		return nil, err
	}
	return &vendor.CompiledRules{
		Description: config.Describe(), Warnings: warnings,
		Lint:      func(int64) []jsontree.Warning { return config.Lint() },
		Placement: placement{config},
	}, nil
}

// placement adapts a Config to vendor.Placement.
type placement struct{ *Config }

func (p placement) Schema() *matcher.Schema { return p.Config.Schema }
func (p placement) Scorer() *scoring.Scorer { return p.Config.Scoring }
func (p placement) Revision() string        { return p.Config.Revision }
func (p placement) Seats() int              { return p.Config.MaxPlayers }

// Reader implements vendor.Placement.
func (p placement) Reader() vendor.Reader { return p.Config.Reader() }
