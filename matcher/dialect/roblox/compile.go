package roblox

import (
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
	"mmsim/matcher/scoring"
)

// Limits of the service per game, except liftedMax and bytesMax, which are limits of this package.
const (
	attributesMax    = 5 // for players, and the same for servers
	customSignalsMax = 2
	nameMax          = 50  // characters in the name of an attribute and in its value
	liftedMax        = 100 // attributes and custom signals if the limits of the service are lifted
	bytesMax         = 1 << 20
)

// Config is a compiled configuration.
type Config struct {
	Name     string
	Revision string // revision of the service's documentation
	Scoring  *scoring.Scorer
	Schema   *matcher.Schema
	// PlayerAttributes and ServerAttributes are the custom attributes in file order.
	PlayerAttributes, ServerAttributes []*Attribute
	// MaxPlayers is the capacity of a server that does not specify its own, or 0 if it is not
	// known.
	MaxPlayers int

	builtIn []*Attribute // indexed by playerValue; playMinutes follows
	entries []entry
	value   jsontree.Value
}

// entry is a signal of a configuration. Entries have the same order as Scoring.Signals.
type entry struct {
	at      jsontree.Value
	label   string // name of the signal in messages
	name    string
	builtIn *builtIn // nil for a custom signal
	weight  float64
}

// compile compiles a configuration. Each error and warning names the entry and the JSON member.
func compile(root jsontree.Value, options vendor.CompileOptions) (*Config, []jsontree.Warning, error) {
	return vendor.Compile(root, bytesMax, options, jsontree.Format{}, func(problems *jsontree.Problems) *Config {
		c := compiler{CompileOptions: options, problems: problems, limits: true,
			config: &Config{Scoring: &scoring.Scorer{}, Schema: &matcher.Schema{}, value: root}}
		c.config.builtIn = builtInAttributes(c.config.Schema)
		switch o, ok := problems.Object(root, ""); {
		case !ok: // the error is already recorded
		case isExport(root):
			c.export(o)
		default:
			c.own(o)
		}
		if problems.Count() == 0 {
			c.warnIfAllZero()
			if err := c.config.Scoring.Validate(); err != nil {
				problems.Errorf(root, "%v", err)
			}
		}
		return c.config
	})
}

// Recognises reports whether a JSON value looks like a configuration. An empty object is the default
// configuration.
func Recognises(root jsontree.Value) bool {
	if root.Kind() == jsontree.Struct && len(root.Members()) == 0 {
		return true
	}
	return vendor.HasMember(root, "signals", "template", "revision", "place") || isExport(root)
}

// compiler holds the state of one call of compile.
type compiler struct {
	vendor.CompileOptions
	problems *jsontree.Problems
	config   *Config
	revision int  // index in revisions
	limits   bool // whether exceeding a limit of the service is an error
	voiceOff bool // whether voice chat is off in this place
}

// own compiles a configuration in our format, in which an unknown key is always an error.
func (c *compiler) own(o *jsontree.Object) {
	c.problems.Strict = true
	c.config.Name = o.TextOr("name", "")
	c.readRevision(o, 0)
	template := c.template(o)
	c.limits = o.BoolOr("deployLimits", true)
	c.place(o)
	if attributes, ok := o.Object("attributes"); ok {
		c.config.PlayerAttributes = c.attributes(attributes, "player", false)
		c.config.ServerAttributes = c.attributes(attributes, "server", false)
		attributes.Done()
	}
	for _, signal := range o.Entries("signals", math.MaxInt) {
		c.ownSignal(signal)
	}
	if template == useDefault || template == "" && !o.Has("signals") {
		c.addDefaults()
	}
	c.config.Scoring.MinScore = o.NumberOr("minScore", 0, jsontree.AtLeast0)
	o.Done()
}

// Templates that a configuration may start from.
const (
	useDefault    = "UseDefault"
	notApplicable = "NotApplicable"
)

// template reads the template. It returns "" if there is none.
func (c *compiler) template(o *jsontree.Object) string {
	return o.OneOfOr("template", "", useDefault, notApplicable)
}

// readRevision reads the revision. fallback is the default, as an index in revisions.
func (c *compiler) readRevision(o *jsontree.Object, fallback int) {
	c.revision = max(0, slices.Index(revisions, o.OneOfOr("revision", revisions[fallback], revisions...)))
	c.config.Revision = revisions[c.revision]
}

// add adds a signal to the configuration.
func (c *compiler) add(e entry, signal scoring.Signal) {
	c.config.entries = append(c.config.entries, e)
	c.config.Scoring.Signals = append(c.config.Scoring.Signals, signal)
}

// addDefaults puts the default signals first. If the configuration lists a default signal, it keeps
// the configured weight but moves to its place among the defaults. The order matters because scores
// are added up in this order.
func (c *compiler) addDefaults() {
	listed, signals := c.config.entries, c.config.Scoring.Signals
	c.config.entries, c.config.Scoring.Signals = nil, nil
	for i := range builtIns {
		b := &builtIns[i]
		if at := slices.IndexFunc(listed, func(e entry) bool { return e.builtIn == b }); at >= 0 {
			c.add(listed[at], signals[at])
		} else if weight := b.weights[c.revision]; weight != absent {
			weight = c.weightInPlace(c.config.value, b, weight)
			c.add(entry{c.config.value, "default " + b.label, b.label, b, weight},
				b.signal(c.revision, c.config.column(b.needs), weight, b.factorIn(c.revision)))
		}
	}
	for i, e := range listed {
		if e.builtIn == nil {
			c.add(e, signals[i])
		}
	}
}

// warnIfAllZero warns if no signal has a weight, because every score is then 0.
func (c *compiler) warnIfAllZero() {
	if !slices.ContainsFunc(c.config.entries, func(e entry) bool { return e.weight > 0 }) {
		c.problems.Warnf(c.config.value, "no signal has a weight above 0, so all scores are 0 and players join the oldest server")
	}
}

// Values of socialSlotType, which determines how a place keeps seats for friends.
const (
	slotsAutomatic = "Automatic"
	slotsEmpty     = "Empty"
	slotsCustom    = "Custom"
)

// place reads the settings of the place.
func (c *compiler) place(root *jsontree.Object) {
	o, ok := root.Object("place")
	if !ok {
		return
	}
	c.voiceOff = !o.BoolOr("voiceChatEnabled", true)
	c.config.MaxPlayers = int(o.NumberOr("maxPlayerCount", 0, jsontree.Limits{Least: 1, Most: scoring.MaxSeats, Whole: true}))
	c.slots(o)
	o.DoneStrict() // the place is in our format, also in an export
}

// slots reads the number of seats that are reserved for friends.
func (c *compiler) slots(o *jsontree.Object) {
	kind := o.OneOfOr("socialSlotType", "", slotsAutomatic, slotsEmpty, slotsCustom)
	if v, _ := o.Get("socialSlotType"); kind == slotsAutomatic {
		// Warn, because the service does not publish how many seats it reserves.
		o.Warnf(v, "socialSlotType", "the number of seats that Automatic keeps is not published, so mmsim keeps 0")
	}
	v, ok := o.Get("customSocialSlotsCount")
	switch {
	case !ok && kind == slotsCustom:
		o.Missing("customSocialSlotsCount", "the number of seats kept for friends")
	case !ok:
	case kind != slotsCustom:
		o.Warnf(v, "customSocialSlotsCount", "has no effect, because socialSlotType is not Custom")
	default:
		c.config.Scoring.KeptSeats = int(o.Number("customSocialSlotsCount", jsontree.Limits{Most: scoring.MaxSeats, Whole: true}))
	}
}

// weightInPlace returns the weight of a signal in this place. If voice chat is off there, the
// weight of Voice Chat is 0 regardless of the configuration.
func (c *compiler) weightInPlace(at jsontree.Value, b *builtIn, weight float64) float64 {
	if b.needs != voiceChat || !c.voiceOff || weight == 0 {
		return weight
	}
	c.problems.Warnf(at, "%s: voice chat is off in this place, so the weight of the signal is 0", b.label)
	return 0
}
