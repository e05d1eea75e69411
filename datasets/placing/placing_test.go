package placing_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/maxmind/mmdbwriter"
	"github.com/maxmind/mmdbwriter/mmdbtype"
	"pgregory.net/rapid"

	"mmsim/datasets"
	"mmsim/datasets/atlas"
	"mmsim/datasets/internal/draws"
	"mmsim/datasets/joinfile"
	"mmsim/datasets/placing"
)

// options returns options with a stream of draws.
func options() joinfile.Options { return joinfile.Options{Draw: draws.Stream(1)} }

func read(t testing.TB, content string, o joinfile.Options) *datasets.Day {
	t.Helper()
	day, err := joinfile.Read(strings.NewReader(content), "day.csv", o)
	if err != nil {
		t.Fatal(err)
	}
	return day
}

// placesOf returns the position and country of each row, in file order.
func placesOf(day *datasets.Day) []string {
	places := make([]string, day.Rows())
	for j := range day.Joins() {
		p := day.Places[j.Place]
		places[j.Row] = fmt.Sprintf("%d %d %s", p.LatHundredths, p.LonHundredths, p.Country)
	}
	return places
}

func TestPlacesByName(t *testing.T) {
	const berlin = "5252 1341 DE"
	for _, test := range []struct {
		name, file string
		want       []string
		placed     datasets.Placed
	}{
		{"city", "time,country,city\n1,DE,Berlin\n2,germany,BERLIN\n3,DEU,berlin\n", []string{berlin, berlin, berlin}, datasets.Placed{ByCity: 3}},
		{"other names of the columns", "ts,country_code,geo_city\n1,de,Berlin\n", []string{berlin}, datasets.Placed{ByCity: 1}},
		{"coordinates win", "time,lat,lon,country,city\n1,48.85,2.35,DE,Berlin\n2,,,DE,Berlin\n", []string{"4885 235 DE", berlin}, datasets.Placed{ByCity: 1}},
		{"names of a region", "time,country,region\n1,DE,State of Berlin\n2,DE,Berlin\n", []string{"", ""}, datasets.Placed{ByRegion: 2}},
		{"unknown city", "time,country,region,city\n1,DE,Berlin,Posemuckel\n", []string{""}, datasets.Placed{ByRegion: 1, UnknownCity: 1}},
		{"unknown region", "time,country,region,city\n1,DE,Atlantis,\n", []string{""}, datasets.Placed{ByCountry: 1, UnknownRegion: 1}},
		{"country_code before country_name", "time,country_name,country_code,city\n1,x,DE,Berlin\n", []string{berlin}, datasets.Placed{ByCity: 1}},
		{"BigQuery of Google Analytics", `{"time": 1, "geo": {"country": "Germany", "region": "Berlin", "city": "Berlin"}}` + "\n", []string{berlin}, datasets.Placed{ByCity: 1}},
		{"JSON without a member", `{"time": 1, "country": "DE", "city": "Berlin"}` + "\n" + `{"time": 2, "lat": 48.85, "lon": 2.35}` + "\n", []string{berlin, "4885 235 "}, datasets.Placed{ByCity: 1}},
		{"quoted, semicolons", "\"time\";\"country\";\"city\"\n1;\"DE\";\"Berlin\"\n", []string{berlin}, datasets.Placed{ByCity: 1}},
	} {
		day := read(t, test.file, options())
		if day.Placed != test.placed {
			t.Errorf("%s: got %+v, want %+v", test.name, day.Placed, test.placed)
		}
		for i, got := range placesOf(day) {
			if test.want[i] != "" && got != test.want[i] {
				t.Errorf("%s: row %d: got %s, want %s", test.name, i, got, test.want[i])
			}
		}
	}
}

// NA in a column of ISO codes is Namibia, not a missing value, in every format.
func TestNamibia(t *testing.T) {
	for name, file := range map[string]string{
		"CSV":    "time,country\n1,NA\n2,NA\n",
		"quoted": "time,country\n1,\"NA\"\n2,\"NA\"\n",
		"JSON":   `{"time": 1, "country": "NA"}` + "\n" + `{"time": 2, "country": "NA"}` + "\n",
	} {
		day := read(t, file, options())
		for j := range day.Joins() {
			if p := day.Places[j.Place]; p.Country.String() != "NA" || p.Lat() > -16 || p.Lat() < -29 || p.Lon() < 11 || p.Lon() > 26 {
				t.Errorf("%s: got %+v, want a place in Namibia", name, p)
			}
		}
	}
	attribute := read(t, "time,lat,lon,state\n1,1,1,NA\n", options())
	if c, _ := attribute.Column("state"); c.Text(0) != "NA" {
		t.Errorf("got attribute %q, want NA", c.Text(0))
	}
}

func TestUnknownPlaces(t *testing.T) {
	for name, test := range map[string]struct{ file, want string }{
		"country":             {"time,country\n1,DE\n2,Germny\n", `day.csv:3:3: country "Germny": expected an ISO 3166 code or the English name of a country; did you mean Germany?`},
		"no country":          {"time,country\n1,\n", "day.csv:2:3: no coordinates: expected latitude and longitude, or a country"},
		"neither":             {"time,lat,lon,country\n1,,,\n", "day.csv:2:3: no coordinates: expected latitude and longitude, or a country"},
		"only a latitude":     {"time,lat,lon,country\n1,5,,DE\n", `day.csv:2:5: longitude "": expected degrees from -180 to 180`},
		"only a longitude":    {"time,lat,lon,country\n1,,5,DE\n", `day.csv:2:3: latitude "": expected degrees from -90 to 90`},
		"no column at all":    {"time,name\n1,x\n", `day.csv:1:1: column "latitude" is missing among time, name: expected a header with time, latitude and longitude, or their names in dataset.map (--map latitude=…); instead of latitude and longitude, a column country`},
		"only city":           {"time,city\n1,Berlin\n", `column "latitude" is missing`},
		"latitude alone":      {"time,lat,country\n1,5,DE\n", `column "longitude" is missing`},
		"JSON, late latitude": {`{"time": 1, "country": "DE"}` + "\n" + `{"time": 2, "country": "DE", "lat": 5}` + "\n", `coordinate "5": expected both latitude and longitude, or neither`},
		"addresses, no flag":  {"time,ip\n1,203.0.113.9\n", "or --geoip FILE.mmdb for the IP addresses"},
	} {
		_, err := joinfile.Read(strings.NewReader(test.file), "day.csv", options())
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got error %v, want %s", name, err, test.want)
		}
	}
	if _, err := joinfile.Read(strings.NewReader("time,country\n1,DE\n"), "day.csv", joinfile.Options{}); err == nil {
		t.Error("without a stream of draws: got no error")
	}
}

// rowsOf returns the rows of a random file without its header.
func randomRows(random *rand.Rand, ids bool) []string {
	areas := []string{"US,,", "DE,,", "FR,,", "US,Texas,", "US,Missouri,Springfield", "JP,,Tokyo", "BR,Atlantis,Nowhere"}
	rows := make([]string, 1+random.IntN(300))
	for i := range rows {
		player, party := "", ""
		if ids {
			player = fmt.Sprintf("p%d", random.IntN(100))
			if random.IntN(2) == 0 {
				party = fmt.Sprintf("g%d", random.IntN(100))
			}
		}
		rows[i] = fmt.Sprintf("%d,%s,%s,%s", random.IntN(20), areas[random.IntN(len(areas))], player, party)
	}
	return rows
}

const header = "time,country,region,city,player_id,party_id\n"

// The place of a row does not depend on the order of the rows. Rows that agree in everything may
// change places with each other.
func TestPlacesDoNotDependOnOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		rows := randomRows(random, rapid.Bool().Draw(rt, "ids"))
		placed := func() []string {
			list := placesOf(read(t, header+strings.Join(rows, "\n")+"\n", options()))
			for i := range list {
				list[i] = rows[i] + " at " + list[i]
			}
			slices.Sort(list)
			return list
		}
		before := placed()
		random.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		if after := placed(); !slices.Equal(before, after) {
			rt.Fatalf("got other places after a shuffle:\n%s\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
		}
	})
}

// Equal content gives equal days: CSV, CSV with semicolons, and JSON lines.
func TestPlacesDoNotDependOnFormat(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 2))
		rows := randomRows(random, rapid.Bool().Draw(rt, "ids"))
		plain := header + strings.Join(rows, "\n") + "\n"
		var lines strings.Builder
		for _, row := range rows {
			c := strings.Split(row, ",")
			fmt.Fprintf(&lines, `{"party_id": %q, "time": %s, "country": %q, "region": %q, "city": %q, "player_id": %q}`+"\n", c[5], c[0], c[1], c[2], c[3], c[4])
		}
		want := placesOf(read(t, plain, options()))
		for name, file := range map[string]string{"semicolons": strings.ReplaceAll(plain, ",", ";"), "JSON": lines.String()} {
			if got := placesOf(read(t, file, options())); !slices.Equal(got, want) {
				rt.Fatalf("%s: got %q, want %q", name, got, want)
			}
		}
	})
}

// A party that names one area lives in one town, and so does a player in all rows.
func TestOneKeyOneTown(t *testing.T) {
	var file strings.Builder
	file.WriteString(header)
	for i := range 600 {
		fmt.Fprintf(&file, "%d,US,,,p%d,g%d\n%d,US,,,s%d,\n", i, i, i/3, i, i%200)
	}
	towns := placesOf(read(t, file.String(), options()))
	byParty, byPlayer, all := map[int]string{}, map[int]string{}, map[string]bool{}
	for i := range 600 {
		for key, towns := range map[*map[int]string]string{&byParty: towns[2*i], &byPlayer: towns[2*i+1]} {
			n := i / 3
			if key == &byPlayer {
				n = i % 200
			}
			if before, ok := (*key)[n]; ok && before != towns {
				t.Fatalf("row %d: got %s, want %s as in the rows before", i, towns, before)
			}
			(*key)[n] = towns
			all[towns] = true
		}
	}
	if len(all) < 100 {
		t.Errorf("got %d towns for 400 keys, want over 100", len(all))
	}
}

// The towns of rows without ids have the shares of their people. Rows of the same second do not
// share a town.
func TestTownsByPeople(t *testing.T) {
	const n = 40_000
	got := map[string]int{}
	for _, town := range placesOf(read(t, "time,country\n"+strings.Repeat("7,GB\n", n), options())) {
		got[town]++
	}
	people, london := 0, 0
	for _, c := range atlas.Cities() {
		if c.Country.String() == "GB" {
			people += c.Population
			if c.Name == "London" {
				london += c.Population
			}
		}
	}
	share := float64(london) / float64(people)
	most := 0
	for _, joins := range got {
		most = max(most, joins)
	}
	if sd := math.Sqrt(share * (1 - share) / n); math.Abs(float64(most)/n-share) > 5*sd {
		t.Errorf("got %.4f of joins in London, want %.4f", float64(most)/n, share)
	}
}

// database returns a database of IP addresses for tests.
func database(t testing.TB) *placing.Addresses {
	t.Helper()
	w, err := mmdbwriter.New(mmdbwriter.Options{DatabaseType: "Test-City", RecordSize: 24, IncludeReservedNetworks: true})
	if err != nil {
		t.Fatal(err)
	}
	position := func(country string, lat, lon float64, radius uint16) mmdbtype.Map {
		return mmdbtype.Map{
			"country":  mmdbtype.Map{"iso_code": mmdbtype.String(country)},
			"location": mmdbtype.Map{"latitude": mmdbtype.Float64(lat), "longitude": mmdbtype.Float64(lon), "accuracy_radius": mmdbtype.Uint16(radius)},
		}
	}
	for network, record := range map[string]mmdbtype.Map{
		"203.0.113.0/25":   position("DE", 48.137, 11.575, 20),
		"203.0.113.128/25": position("US", 37.751, -97.822, 1000), // MaxMind's middle of the United States
		"2001:db8:1::/48":  position("JP", 35.69, 139.69, 5),
		"198.51.100.0/24":  {"country": mmdbtype.Map{"iso_code": mmdbtype.String("NA")}},
	} {
		_, ipNet, err := net.ParseCIDR(network)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Insert(ipNet, record); err != nil {
			t.Fatal(err)
		}
	}
	var content bytes.Buffer
	if _, err := w.WriteTo(&content); err != nil {
		t.Fatal(err)
	}
	addresses, err := placing.ReadAddresses(content.Bytes(), "geo.mmdb")
	if err != nil {
		t.Fatal(err)
	}
	return addresses
}

func TestAddresses(t *testing.T) {
	o := options()
	o.Addresses = database(t)
	const munich, tokyo = "4813 1157 ", "3569 13969 "
	day := read(t, "time,ip_address,country\n1,203.0.113.9,\n2,2001:db8:1::7,FR\n3,::ffff:203.0.113.9,\n4,203.0.113.200,\n5,198.51.100.1,\n6,10.0.0.1,DE\n", o)
	got := placesOf(day)
	if want := []string{munich, tokyo + "FR", munich}; !slices.Equal(got[:3], want) {
		t.Errorf("got places %q, want %q", got[:3], want)
	}
	for i, country := range []string{"US", "NA", "DE"} {
		if !strings.HasSuffix(got[3+i], country) || got[3+i] == "3775 -9783 US" {
			t.Errorf("row %d: got place %s, want a town in %s", 4+i, got[3+i], country)
		}
	}
	if want := (datasets.Placed{ByAddress: 3, ByCountry: 3}); day.Placed != want {
		t.Errorf("got %+v, want %+v", day.Placed, want)
	}
	for _, file := range []string{"time,ip\n1,203.0.113.9\n2,10.0.0.1\n", "time,ip\n1,203.0.113.9\n2,fe80::1%eth0\n", "time,lat,lon,ip\n1,1,1,203.0.113.9\n2,,,192.168.0.1\n"} {
		_, err := joinfile.Read(strings.NewReader(file), "day.csv", o)
		if err == nil || !strings.HasPrefix(err.Error(), "day.csv:3:") || !strings.Contains(err.Error(), "the address is private or not in geo.mmdb: expected one that is, or a country") {
			t.Errorf("%q: got error %v", file, err)
		}
	}
}

// No address leaves the reader: not as an attribute, not in a file, not in a message.
func TestAddressesAreNotKept(t *testing.T) {
	addresses := []string{"203.0.113.9", "203.0.113.77", "2001:db8:1::77", "198.51.100.200"}
	leaks := func(text string) bool {
		return slices.ContainsFunc(addresses, func(a string) bool { return strings.Contains(text, a) }) || strings.Contains(text, "203.0.113")
	}
	for _, households := range []bool{false, true} {
		for _, db := range []*placing.Addresses{nil, database(t)} {
			o := options()
			o.Households, o.Addresses, o.MaxBadRows = households, db, 10
			day := read(t, "time,lat,lon,ip,name\n1,1,1,203.0.113.9,a\n2,2,2,2001:db8:1::77,b\n3,3,3,203.0.113.9,c\n4,4,4,203.0.113.777,d\n5,203.0.113.9\n", o)
			column, ok := day.Column(datasets.ColumnIP)
			if ok != households {
				t.Errorf("households %v: got a column ip %v", households, ok)
			}
			if ok && !slices.Equal(column.Texts, []uint32{1, 2, 1}) {
				t.Errorf("got households %v, want the first and the third row in one", column.Texts)
			}
			var out bytes.Buffer
			if err := datasets.WriteDay(&out, day, datasets.Headed); err != nil {
				t.Fatal(err)
			}
			if text := fmt.Sprint(out.String(), day.Warnings); leaks(text) {
				t.Errorf("households %v: an address in %s", households, text)
			}
			unused := slices.ContainsFunc(day.Warnings, func(w datasets.Warning) bool { return strings.Contains(w.Message, "--geoip FILE.mmdb") })
			if unused != (db == nil) {
				t.Errorf("got warnings %v", day.Warnings)
			}
		}
	}
	for _, file := range []string{
		"time,lat,lon,ip\n1,1,1,203.0.113.9\n2,2,2,203.0.113.777\n",
		"time,lat,lon,ip\n1,1,1,203.0.113.9\n2,2,2,203.0.113.77,3\n",
		"time,lat,lon,ip\n1,1,1,household 1\n2,2,2,203.0.113.77\n",
		"time,lat,lon,ip\n1,1,1,203.0.113.9\n2,2,2,203.0.113.77\"\n",
		"time,lat,lon,ip\n1,1,1,203.0.113.9\n203.0.113.77,2,2,\n",
		"time,lat,lon,ip\n1,1,1,203.0.113.9\n2,2,2,\xff 203.0.113.77\n",
		"time,lat,lon,name\n1,1,1,1\n2,2,2,203.0.113.77\n",
		"time,lat,lon,ip\n1,1,1,203.0.113.9:443\n",
		"time,lat,lon,ip\n1,1,1,\"203.0.113.9, 203.0.113.77\"\n",
		"203.0.113.9,2001:db8:1::77,x,y,z\n",
		"time|ip\n1|203.0.113.9\n",
		`{"time": 1, "lat": 1, "lon": 1, "ip": "203.0.113.9"}` + "\n203.0.113.77\n",
		`{"time": 1, "lat": 1, "lon": 1, "ip": ["203.0.113.9", "203.0.113.77"]}` + "\n",
		`{"time": 1, "lat": 1, "lon": 1, "ip": "203.0.113.9"}` + "\n" + `{"time": "2001:db8:1::77", "lat": 1, "lon": 1}` + "\n",
	} {
		_, err := joinfile.Read(strings.NewReader(file), "day.csv", options())
		if err == nil || leaks(err.Error()) {
			t.Errorf("%q: got error %v, want one without an address", file, err)
		}
	}
}

func TestReadAddresses(t *testing.T) {
	for name, content := range map[string]string{"empty": "", "text": "network,country\n1.0.0.0/24,AU\n"} {
		if _, err := placing.ReadAddresses([]byte(content), "geo.mmdb"); err == nil || !strings.HasPrefix(err.Error(), "geo.mmdb: not a database of IP addresses") {
			t.Errorf("%s: got error %v", name, err)
		}
	}
}

// FuzzPlaces reads any cells of country, region, city and address: the row is placed, or refused with its
// position.
func FuzzPlaces(f *testing.F) {
	for _, seed := range [][4]string{{"DE", "Bavaria", "Munich", "203.0.113.9"}, {"NA", "", "", "::1"}, {"United States", "TX", "Springfield", "10.0.0.1"}, {"Germny", "x", "y", "z"}} {
		f.Add(seed[0], seed[1], seed[2], seed[3])
	}
	o := options()
	o.Addresses = database(f)
	f.Fuzz(func(t *testing.T, country, region, city, address string) {
		quoted := func(cell string) string { return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"` }
		file := "time,country,region,city,ip\n1," + quoted(country) + "," + quoted(region) + "," + quoted(city) + "," + quoted(address) + "\n"
		day, err := joinfile.Read(strings.NewReader(file), "day.csv", o)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "day.csv:") {
				t.Fatalf("%q: got error %v, want one with its position", file, err)
			}
			return
		}
		if day.Placed.Joins() != 1 {
			t.Fatalf("%q: got %+v, want one placed join", file, day.Placed)
		}
	})
}
