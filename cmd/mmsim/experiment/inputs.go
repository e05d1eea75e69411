package experiment

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/config/section"
	"mmsim/cmd/mmsim/experiment/binding"
	"mmsim/cmd/mmsim/input"
	"mmsim/datasets"
	"mmsim/datasets/builtin"
	"mmsim/datasets/joinfile"
	"mmsim/datasets/placing"
	"mmsim/latencymap"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// Inputs are the files and data that a configuration names, loaded and checked. They do not
// depend on the replication, so all replications share them.
type Inputs struct {
	Config        *config.Config       // adapted to the data, see config.ForData
	*section.List                      // the datacenters
	fleet         *section.LoadedFleet // nil if there is none
	events        []sim.Event          // what happens to all queues
	Latency       *latencymap.Set
	Day           *datasets.Day                    // nil for the built-in day, which differs between replications
	placeRTTs     *placeRTTs                       // RTTs and positions of the places in Day
	rulesets      []*config.Ruleset                // by queue; nil for a queue without a ruleset that mmsim can compile
	ruleset       *config.Ruleset                  // the first queue's
	unknown       [][]byte                         // by queue: the ruleset if only the queue's external matchmaker can read it, otherwise nil
	countries     map[datasets.CountryCode]float64 // weights for the built-in day
	warnings      []jsontree.Warning

	// Unrepeatable is set if an external matchmaker does not report its version. The results
	// must then not be reused in another run.
	Unrepeatable bool

	// Met lists the names and versions that external programs and services report in their
	// answers to the hello message.
	Met []string

	// Around has the events of the configurations that this one is compared with; see setup.Run.
	Around []setup.Span

	contents map[string]string // hash of the content of each file, by setting
	cache    *Cache

	hashing sync.Once
	ofRun   func(run uint32) string // JobHash; set by hashing
	noHash  error
}

// NewInputs returns inputs for c that have not been loaded yet.
func NewInputs(c *config.Config) *Inputs {
	return &Inputs{Config: c, List: &section.List{}, contents: map[string]string{}, cache: NewCache(1)}
}

// Load reads everything that the configuration names. If the cache already has an input, Load
// uses it instead. Every error is a bad input error. The dataset and the maps are read
// concurrently, because they take most of the time.
func Load(c *config.Config, cache *Cache) (*Inputs, error) {
	in := NewInputs(c)
	in.cache = cache
	in.warn(c.Lint()...)
	if d := &c.Dataset; d.GeoIP != "" && d.File == "" {
		return nil, c.Errorf("dataset.geoip", "got %q, expected dataset.file, too: the players of the built-in day have no IP addresses", d.GeoIP)
	}
	if err := inOrder(in.LoadDatacenters, in.LoadCountries, in.loadFleet, in.loadRules, in.checkRegions, in.meetMatchmakers); err != nil {
		return nil, err
	}
	var group errgroup.Group
	if c.Dataset.File != "" {
		group.Go(func() error {
			day, err := cache.days.get(in.dayKey(0), func() (*datasets.Day, error) {
				err := in.LoadDay() // sets in.Day
				return in.Day, err
			})
			in.Day = day // LoadDay was not called if the cache had the day
			return err
		})
	}
	opened, err := cache.maps.get(in.mapsKey(), func() (opened openedMaps, err error) {
		opened.set, opened.sha256, err = OpenMaps(c, in.Datacenters)
		return opened, err
	})
	if err := cmp.Or(group.Wait(), err); err != nil {
		return nil, input.Bad(err)
	}
	in.Latency, in.contents["latency.maps"] = opened.set, opened.sha256
	if in.Day != nil {
		in.contents["dataset.file"] = hex.EncodeToString(in.Day.SHA256[:])
		if c.Dataset.GeoIP != "" {
			in.contents["dataset.geoip"] = hex.EncodeToString(in.Day.AddressesSHA256[:])
		}
		var sessions []float64
		if column, ok := in.Day.Column(datasets.ColumnSessionLength); ok {
			sessions = column.Numbers
		}
		if err := in.takeRows(); err != nil {
			return nil, input.Bad(err)
		}
		in.Config = in.Config.ForData(in.Day.Days(), sessions)
		in.placeRTTs = in.locate(in.Day, 0)
	}
	if in.events, err = in.Config.Events.Sim(in.List, in.Config.Clock.Duration); err != nil {
		return nil, input.Bad(err)
	}
	in.warn(section.NothingUsable(in.events, in.InUse)...)
	return in, nil
}

// inOrder calls steps until one fails, for which it returns a bad input error.
func inOrder(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return input.Bad(err)
		}
	}
	return nil
}

// mapsKey returns the hash of everything that the latency maps are made from.
func (in *Inputs) mapsKey() string {
	var sites []byte // %#v of the list takes as long as to plan a point of a sweep
	for _, dc := range in.Datacenters {
		sites = strconv.AppendQuote(strconv.AppendInt(sites, int64(dc.ID), 10), dc.Name)
		sites = binary.BigEndian.AppendUint64(sites, math.Float64bits(dc.Lat))
		sites = binary.BigEndian.AppendUint64(sites, math.Float64bits(dc.Lon))
	}
	sum, l := sha256.Sum256(sites), &in.Config.Latency
	return keyOf("maps", hex.EncodeToString(sum[:]), stamp(l.Maps), l.Clean, l.Fallback, l.Fudge)
}

// dayKey returns the hash of everything that the day of a replication is made from. A day from
// a file does not depend on the run. The rules are part of its key, because they can set the
// kinds of columns and restrict their values.
func (in *Inputs) dayKey(run uint64) string {
	c := in.Config
	d, b := &c.Dataset, &c.Dataset.Builtin
	if d.File == "" {
		return keyOf("built-in day", c.Seed, run, b.Preset, b.Joins, b.Date, b.Weekend, b.Spike, in.countries)
	}
	checks := ""
	if c.Placement == config.PlacementServers && in.ruleset != nil {
		checks = string(in.ruleset.Content())
	}
	return keyOf("day", stamp(d.File), d.Columns, d.Map, d.TimeZone, d.TimeFormat, d.Date, stamp(d.GeoIP), c.Seed, d.Days > 1, d.MaxBadRows, d.MaxBadShare, d.AllBadRows, in.columnKinds(), datasets.DatacenterNames(in.Datacenters), in.Others, c.Placement == config.PlacementServers, checks)
}

// locate returns the positions of all places that occur in day, and their RTTs, for the
// replication with the number run.
func (in *Inputs) locate(day *datasets.Day, run uint64) *placeRTTs {
	// The function below never fails.
	located, _ := in.cache.places.get(keyOf("places", in.dayKey(run), in.mapsKey()), func() (*locatedPlaces, error) {
		return locate(day, in.Latency), nil
	})
	return located.under(&in.Config.States, in.InUse, in.Latency, in.Config.Latency.Fallback)
}

// LoadDatacenters reads the list of datacenters, and which of them take part.
func (in *Inputs) LoadDatacenters() error {
	list, err := in.Config.Datacenters.Load()
	if fault := section.UseError(""); errors.As(err, &fault) {
		return in.Config.Errorf("datacenters.use", "%v", fault)
	}
	if err != nil {
		return in.Config.Unopened("datacenters.file", err)
	}
	in.List, in.contents["datacenters.file"] = list, list.Content
	return nil
}

// loadFleet reads the prices of the fleet, if there is one.
func (in *Inputs) loadFleet() (err error) {
	c, key := in.Config, ""
	in.contents["fleet.prices"] = ""
	switch {
	case c.Fleet.Prices == "":
		return nil
	case c.Placement == config.PlacementServers:
		return c.Errorf("fleet.prices", "got a fleet with placement servers, whose servers have a model of their own (servers.start, servers.session): expected a placement that makes matches")
	}
	if in.fleet, key, err = c.Fleet.Load(in.List); err == nil {
		in.contents["fleet.prices"] = in.fleet.Content
	} else if key != "" {
		return c.Errorf(key, "%v", err)
	}
	return c.Unopened("fleet.prices", err)
}

// LoadCountries reads the country weights of the built-in day.
func (in *Inputs) LoadCountries() error {
	file := in.Config.Dataset.Builtin.CountryFile
	in.contents["dataset.builtin.countries"] = ""
	if file == "" || in.Config.Dataset.File != "" {
		return nil
	}
	sum, err := input.ReadHashed(file, func(r io.Reader, name string) (err error) {
		in.countries, err = builtin.ReadCountryWeights(r, name)
		return err
	})
	in.contents["dataset.builtin.countries"] = sum
	return in.Config.Unopened("dataset.builtin.countries", err)
}

// zone returns the name of the time zone of the dataset's days, and how far it is ahead of UTC at the first
// midnight, or in winter if no date is known. The name of UTC is "".
func (in *Inputs) zone() (name string, ahead sim.Duration) {
	if in.Day == nil {
		return "", 0
	}
	zone, _ := joinfile.ParseZone(in.Config.Dataset.TimeZone) // cannot fail: checked with the configuration
	if zone == time.UTC {
		return "", 0
	}
	midnight := cmp.Or(in.Day.Midnight, in.Config.Dataset.Date, time.Date(2026, time.January, 1, 0, 0, 0, 0, zone))
	_, seconds := midnight.In(zone).Zone()
	return zone.String(), sim.Duration(seconds) * sim.Second
}

// LoadDay reads the dataset, unless the configuration uses the built-in day.
func (in *Inputs) LoadDay() error {
	d := &in.Config.Dataset
	if d.File == "" {
		return nil
	}
	options := joinfile.Options{
		Columns:     map[string]datasets.Kind{},
		Expected:    in.columnKinds(),
		MaxBadRows:  d.MaxBadRows,
		MaxBadShare: d.MaxBadShare,
		AllBadRows:  d.AllBadRows,
		Names:       d.Map,
		TimeFormat:  joinfile.TimeFormat(d.TimeFormat),
		Date:        d.Date,
		Merge:       d.Days > 1,
		Draw:        sim.NewStream(in.Config.Seed, 0, sim.PurposePlacing).Bits, // of the seed only: all runs share the day
		Households:  in.Config.Placement == config.PlacementServers,

		Datacenters: datasets.DatacenterNames(in.Datacenters), UnusedDatacenters: in.Others,
	}
	options.Zone, _ = joinfile.ParseZone(d.TimeZone) // cannot fail: checked with the configuration
	if in.Config.Placement == config.PlacementServers {
		options.Checks = binding.PlacingChecks(in.ruleset, in.Config)
	}
	for name, word := range d.Columns {
		options.Columns[name], _ = datasets.ParseKind(word) // cannot fail: checked with the configuration
	}
	addresses, err := in.openAddresses(&options)
	if err != nil {
		return in.Config.Unopened("dataset.geoip", err)
	}
	err = input.ReadSteady(d.File, func(r io.Reader, name string) (err error) {
		in.Day, err = joinfile.Read(r, name, options)
		if errors.Is(err, joinfile.ErrBadRow) && d.MaxBadRows == 0 && d.MaxBadShare == 0 {
			err = fmt.Errorf("%w; --set dataset.max_bad_rows=0.1%% leaves out malformed rows, up to that share, and \"mmsim validate\" lists them", err)
		}
		return err
	})
	if err == nil && d.File != input.Stdin {
		err = input.Fix(d.File, in.Day.SHA256)
	}
	if err != nil {
		in.Day = nil
		return in.Config.Unopened("dataset.file", err)
	}
	in.Day.AddressesSHA256 = addresses
	return nil
}

// maxAddresses is the maximum size of a database of IP addresses, which is read into memory. The
// largest known one, with all cities of the world, has a tenth of it.
var maxAddresses = input.Limit{Name: "MaxAddressesBytes", Bytes: 2 << 30, Expected: "a MaxMind DB file of cities or countries"}

// openAddresses reads the database of IP addresses into the options and returns its hash. Both are
// zero if none is configured.
func (in *Inputs) openAddresses(options *joinfile.Options) (sum [sha256.Size]byte, err error) {
	file := in.Config.Dataset.GeoIP
	if file == "" {
		return sum, nil
	}
	name := input.Shown(file)
	content, err := input.ReadFile(name, maxAddresses)
	if err != nil {
		return sum, err
	}
	options.Addresses, err = placing.ReadAddresses(content, name)
	return sha256.Sum256(content), err
}

// takeRows decides what the rows of the day are, and notes what it decided.
func (in *Inputs) takeRows() error {
	rows := in.Day.PlayerRows(in.Config.Dataset.Days)
	in.warnings = append(in.warnings, RowsNote(in.Config, rows)...)
	c, err := in.Config.ForRows(rows)
	if err != nil {
		return err
	}
	in.Config = c
	if c.Searches() && slices.ContainsFunc(c.AllQueues(), func(q *config.Queue) bool { return q.Match.PartnerCooldown > 0 }) {
		in.warn("match.partner_cooldown: not used, because rows are searches, and the next search of a player is a row of its own")
	}
	return nil
}

// missingNamed is the maximum number of datacenters without a map that get a warning each. If
// there are more, one warning lists them all.
const missingNamed = 5

// LatencyWarnings returns warnings about datacenters without a map and maps without a
// datacenter. If day is not nil, warnings about missing maps include the share of RTTs that
// come from maps.
func (in *Inputs) LatencyWarnings(day *placeRTTs) []string {
	var warnings []string
	fallback, shares := in.Config.Latency.Fallback, ""
	if day != nil {
		l := &day.latency
		shares = fmt.Sprintf(" (of all RTTs, %.1f %% are from maps and %.1f %% from %s)",
			100*l.ShareMap, 100*(l.ShareModel+l.ShareLine+l.ShareFibre), fallback)
	}
	missing := slices.DeleteFunc(slices.Clone(in.Latency.Missing()), func(name string) bool { return slices.Contains(in.UnusedNames(), name) })
	if len(missing) > missingNamed {
		warnings = append(warnings, fmt.Sprintf("%d datacenters have no latency map and use the fallback %s%s: %s",
			len(missing), fallback, shares, strings.Join(missing, ", ")))
		missing = nil
	}
	for _, name := range missing {
		warnings = append(warnings, fmt.Sprintf("%s has no latency map and uses the fallback %s%s", name, fallback, shares))
	}
	warnings = append(warnings, in.Latency.Empty()...)
	for _, file := range in.Latency.Stray() {
		// The map of a datacenter that is not in the list, but in its sources, is not a stray.
		name := strings.TrimSuffix(file, filepath.Ext(file))
		if slices.ContainsFunc(in.Others, func(other string) bool { return name == "latency_"+latencymap.MapName(other) }) {
			continue
		}
		warnings = append(warnings, fmt.Sprintf("%s is not used, because it belongs to no datacenter", file))
	}
	return warnings
}

// PreferOwnDatacenters uses the list of datacenters in the folder of the latency maps, because
// its names match those of the maps. It does nothing if the configuration names a list.
func PreferOwnDatacenters(c *config.Config) error {
	if len(c.Datacenters.Sources) > 0 || c.Latency.Maps == "" {
		return nil
	}
	beside := filepath.Join(c.Latency.Maps, "datacenters.csv")
	switch err := input.CheckRegular(input.Shown(beside)); {
	case err == nil:
		c.Datacenters.Sources = section.DatacenterFile(beside)
	case !errors.Is(err, fs.ErrNotExist):
		return input.Bad(err)
	}
	return nil
}

// OpenMaps opens the latency maps and returns a hash of their content. The hash is empty if no
// maps are configured.
func OpenMaps(c *config.Config, list []datasets.Datacenter) (*latencymap.Set, string, error) {
	sites := Sites(list)
	var folder fs.FS
	name := input.Shown(c.Latency.Maps)
	if c.Latency.Maps != "" {
		if info, err := os.Stat(c.Latency.Maps); err != nil {
			return nil, "", c.Unopened("latency.maps", input.Error(name, err))
		} else if !info.IsDir() {
			return nil, "", fmt.Errorf("%s: a file, expected a folder of latency maps", name)
		}
		folder = input.Folder(c.Latency.Maps)
	}
	before := mapStamps(c.Latency.Maps)
	set, err := latencymap.Open(folder, name, sites, c.Latency.Options)
	switch {
	case err != nil || folder == nil:
		return set, "", err
	case len(set.Missing()) == len(sites) && !c.Datacenters.IsPart(): // the maps may be those of the others
		return nil, "", noMapFits(c, name, set.Stray(), sites)
	}
	content, err := mapsSHA256(folder, c.Latency.Maps, set.Files())
	if detail := (*fs.PathError)(nil); errors.As(err, &detail) {
		err = input.Error(filepath.Join(name, detail.Path), err)
	}
	for _, file := range set.Files() { // which have been read twice, for the maps and for the hash
		if now := stamp(filepath.Join(c.Latency.Maps, file)); now != before[file] && err == nil {
			err = fmt.Errorf("%s: changed while it was read, expected a file that no program writes to; copy it first", filepath.Join(name, file))
		}
	}
	return set, content, err
}

// mapStamps returns the stamps of the files in a folder of maps.
func mapStamps(folder string) map[string]string {
	stamps := map[string]string{}
	entries, _ := os.ReadDir(folder) // opening the maps reports an error
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), "latency_") {
			stamps[entry.Name()] = stamp(filepath.Join(folder, entry.Name()))
		}
	}
	return stamps
}

// noMapFits returns the error for a folder that has no map of any datacenter. Without an
// error, the fallback would replace all of the user's maps.
func noMapFits(c *config.Config, folder string, stray []string, datacenters []latencymap.Datacenter) error {
	hint := ""
	beside := filepath.Join(folder, "datacenters.csv")
	switch _, err := os.Stat(filepath.Join(c.Latency.Maps, "datacenters.csv")); {
	case err == nil && len(c.Datacenters.Sources) == 0:
		hint = "; the folder has its own list: use --datacenters " + beside
	case len(stray) > 0:
		hint = fmt.Sprintf("; it has maps with other names, such as %s: list their datacenters with --datacenters", stray[0])
	}
	return fmt.Errorf("%s: no latency maps, expected latency_<datacenter>.bin or .png of %s, such as %s%s",
		folder, input.Counted(len(datacenters), "datacenter"), datacenters[0].Name, hint)
}

// mapsSHA256 returns a hash of the names and contents of latency maps, and fixes their contents. It
// ignores other files in the folder, because they do not affect a run and may have any size. It reads
// whole files into memory: the maps have already been read, so they are small regular files.
func mapsSHA256(folder fs.FS, path string, names []string) (string, error) {
	sum := sha256.New()
	for _, name := range names {
		content, err := fs.ReadFile(folder, name)
		if err == nil {
			err = input.Fix(filepath.Join(path, name), sha256.Sum256(content))
		}
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "%s %d\n", name, len(content))
		sum.Write(content)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Sites converts datacenters to the type that package latencymap uses.
func Sites(list []datasets.Datacenter) []latencymap.Datacenter {
	sites := make([]latencymap.Datacenter, len(list))
	for i, dc := range list {
		sites[i] = latencymap.Datacenter{Name: dc.Name, Lat: dc.Lat, Lon: dc.Lon}
	}
	return sites
}

// JobHash returns the hash that identifies a replication. It is a hash of the configuration,
// with the content of each file in place of the file's name. Summaries contain it as
// config_sha256.
func (in *Inputs) JobHash(run uint64) (string, error) {
	in.hashing.Do(func() { in.ofRun, in.noHash = in.Config.RunHashes(in.contents) })
	if in.noHash != nil {
		return "", in.noHash
	}
	return in.ofRun(uint32(run)), nil
}

// sites converts the datacenters to the type that reports use.
func (in *Inputs) sites() []setup.Datacenter {
	sites := make([]setup.Datacenter, len(in.Datacenters))
	for i, dc := range in.Datacenters {
		sites[i] = setup.Datacenter{Name: dc.Name, Latitude: dc.Lat, Longitude: dc.Lon, Unused: in.InUse>>i&1 == 0}
	}
	return sites
}

// CheckCaptures checks, before a run, that every requested scene can be captured.
func (in *Inputs) CheckCaptures(list []*binding.Capture) error {
	for _, s := range list {
		if err := s.Check(in.Config, in.Datacenters, in.InUse, in.rulesets); err != nil {
			return err
		}
	}
	return nil
}

// IsPure reports whether a replication's result depends only on its JobHash, so that any
// machine with the same build computes the same bytes. This is true unless a program or a
// service makes matches.
func (in *Inputs) IsPure() bool { return !in.Config.AsksProgram() }
