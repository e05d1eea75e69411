package latencymap

import (
	"hash/crc32"
	"math"
	"math/rand/v2"
	"testing"
	"testing/fstest"
	"unsafe"
)

// worldwide lists datacenters inside and outside the fitted clusters.
var worldwide = []Datacenter{
	{"frankfurt", 50.11, 8.68}, {"london", 51.51, -0.13}, {"madrid", 40.42, -3.70}, {"stockholm", 59.33, 18.07},
	{"warsaw", 52.23, 21.01}, {"ashburn", 39.04, -77.49}, {"miami", 25.77, -80.19}, {"dallas", 32.78, -96.80},
	{"denver", 39.74, -104.99}, {"losangeles", 34.05, -118.24}, {"seattle", 47.61, -122.33}, {"saopaulo", -23.55, -46.63},
	{"santiago", -33.45, -70.67}, {"sydney", -33.87, 151.21}, {"perth", -31.95, 115.86}, {"auckland", -36.85, 174.76},
	{"tokyo", 35.68, 139.77}, {"seoul", 37.57, 126.98}, {"hongkong", 22.27, 114.19}, {"singapore", 1.28, 103.83},
	{"mumbai", 19.08, 72.88}, {"dubai", 25.27, 55.32}, {"johannesburg", -26.20, 28.04}, {"lagos", 6.52, 3.38},
	{"suva", -18.14, 178.44}, {"pole", 90, 0}, {"reykjavik", 64.15, -21.94}, {"honolulu", 21.31, -157.86}, {"delhi", 28.61, 77.21},
}

// places draws n positions all over the world, in steps of 0.01 degrees and including edges.
func places(n int) []Position {
	draw := rand.New(rand.NewPCG(1, 2))
	out := []Position{{90, 180}, {-90, -180}, {90, 0}, {0, 180}, {0, -180}, {-90, 179.99}, {0, 0}, {-0.01, -0.01}}
	for len(out) < n {
		out = append(out, Position{
			Lat: float64(draw.IntN(18001)-9000) / 100,
			Lon: float64(draw.IntN(36001)-18000) / 100,
		})
	}
	return out[:n]
}

// halfMaps returns maps with samples in about half of all cells.
func halfMaps(t testing.TB, datacenters []Datacenter) fstest.MapFS {
	draw := rand.New(rand.NewPCG(3, 4))
	maps := fstest.MapFS{}
	for _, d := range datacenters {
		cells := make(map[int]float32)
		for cell := range Cells {
			if draw.IntN(2) == 0 {
				cells[cell] = 200 + 100*draw.Float32()
			}
		}
		maps["latency_"+d.Name+".bin"] = &fstest.MapFile{Data: binOf(t, cells)}
	}
	return maps
}

// TestTableIsLookup compares the table, which skips hubs, with Lookup, which tries all of them.
// After Quantise, both must give exactly the same RTT for every place and datacenter.
func TestTableIsLookup(t *testing.T) {
	somewhere := places(8000)
	half := halfMaps(t, worldwide[:5])
	for name, set := range map[string]*Set{
		"model":      mustOpen(t, nil, worldwide, Options{}),
		"fudge":      mustOpen(t, nil, worldwide, Options{Fudge: 1.3}),
		"line":       mustOpen(t, nil, worldwide, Options{Fallback: Line, Fudge: 0.7}),
		"fibre":      mustOpen(t, nil, worldwide, Options{Fallback: Fibre, Fudge: 1.2}),
		"model+maps": mustOpen(t, half, worldwide[:7], Options{Clean: true}),
		"one":        mustOpen(t, nil, worldwide[:1], Options{}),
	} {
		table := set.Table(somewhere, nil)
		for place, p := range somewhere {
			best := uint16(math.MaxUint16)
			for dc, got := range table.Row(place) {
				ms, source := set.Lookup(dc, p.Lat, p.Lon)
				if got != Quantise(ms) {
					t.Fatalf("%s: %v to %s: got %d in the table, want %d as from Lookup", name, p, set.datacenters[dc].Name, got, Quantise(ms))
				}
				if fromMap := table.FromMap[place]>>dc&1 == 1; fromMap != (source == SourceMap) {
					t.Fatalf("%s: %v to %s: got FromMap %v with source %v, want it true only for a map", name, p, set.datacenters[dc].Name, fromMap, source)
				}
				best = min(best, got)
			}
			if table.Best[place] != best || table.Measured[place] != 0 {
				t.Fatalf("%s: %v: got best RTT %d and measured %b, want %d and none", name, p, table.Best[place], table.Measured[place], best)
			}
		}
	}
}

func TestTableMeasured(t *testing.T) {
	maps := fstest.MapFS{"latency_london.bin": {Data: binOf(t, map[int]float32{CellOf(48.86, 2.35): 12})}}
	set := mustOpen(t, maps, []Datacenter{london, newYork, tokyo}, Options{Fallback: Line})
	table := set.Table([]Position{{48.86, 2.35}, {48.86, 2.35}}, func(place int) []Measured {
		if place == 0 {
			return nil
		}
		return []Measured{{Datacenter: 0, MS: 30}, {Datacenter: 2, MS: 5.05}}
	})
	lineMS, _ := set.Lookup(1, 48.86, 2.35)
	for place, want := range [][]uint16{
		{12 * 16, Quantise(lineMS)},
		{30 * 16, Quantise(lineMS), 81}, // 5.05 ms is 80.8 steps
	} {
		for dc := range want {
			if got := table.Row(place)[dc]; got != want[dc] {
				t.Errorf("place %d datacenter %d: got %d steps, want %d", place, dc, got, want[dc])
			}
		}
	}
	if table.FromMap[0] != 0b001 || table.FromMap[1] != 0 || table.Measured[0] != 0 || table.Measured[1] != 0b101 {
		t.Errorf("got FromMap %b and Measured %b, want [1 0] and [0 101]", table.FromMap, table.Measured)
	}
	if table.Best[0] != 12*16 || table.Best[1] != 81 {
		t.Errorf("got best RTTs %v, want 192 and 81 steps", table.Best)
	}
}

func TestWithin(t *testing.T) {
	table := &Table{Datacenters: 3, RTT: []uint16{799, 800, 801, 1600, 1, 801}, Best: make([]uint16, 2)}
	got := table.Within(Quantise(50)) // 800 steps, inclusive
	if got[0] != 0b011 || got[1] != 0b010 {
		t.Errorf("within 50 ms: got datacenters %b, want 11 and 10", got)
	}
}

func TestTableWithMaxDatacenters(t *testing.T) {
	datacenters := make([]Datacenter, MaxDatacenters)
	for i := range datacenters {
		datacenters[i] = Datacenter{Lat: float64(i), Lon: float64(2 * i)}
	}
	set := mustOpen(t, nil, datacenters, Options{})
	masks := set.Table([]Position{{10, 10}}, nil).Within(math.MaxUint16)
	if masks[0] != math.MaxUint64 {
		t.Errorf("got mask %b, want all 64 datacenters", masks[0])
	}
}

func TestQuantise(t *testing.T) {
	for _, c := range []struct {
		ms   float64
		want uint16
	}{
		{0, 0}, {-1, 0}, {0.03124, 0}, {0.03125, 1}, {0.0625, 1}, {50, 800}, {50.03, 800}, {50.04, 801},
		{4095.9375, 65535}, {4096, 65535}, {1e300, 65535}, {math.Inf(1), 65535}, {math.Inf(-1), 0}, {math.NaN(), 65535},
	} {
		if got := Quantise(c.ms); got != c.want {
			t.Errorf("Quantise(%v): got %d, want %d", c.ms, got, c.want)
		}
	}
	for steps := range uint16(math.MaxUint16) {
		if Quantise(Milliseconds(steps)) != steps {
			t.Fatalf("Quantise(Milliseconds(%d)): want the same number of steps", steps)
		}
	}
}

// benchmarkPlaces returns 700,000 positions in the 1,500 cells around 200 towns, distributed like
// joins.
func benchmarkPlaces() []Position {
	draw := rand.New(rand.NewPCG(5, 6))
	towns := make([]Position, 200)
	for i := range towns {
		towns[i] = Position{Lat: 100*draw.Float64() - 40, Lon: 360*draw.Float64() - 180}
	}
	out := make([]Position, 700_000)
	for i := range out {
		town := towns[draw.IntN(len(towns))]
		out[i] = Position{
			Lat: math.Floor(100*(town.Lat+draw.NormFloat64()*0.6)) / 100,
			Lon: math.Floor(100*min(max(town.Lon+draw.NormFloat64()*0.6, -180), 180)) / 100,
		}
	}
	return out
}

// BenchmarkTable computes the table of a typical day with 29 datacenters: with maps that cover half
// of the cells, with the model alone, and with the fallback Line alone.
func BenchmarkTable(b *testing.B) {
	somewhere := benchmarkPlaces()
	for _, c := range []struct {
		name string
		set  *Set
	}{
		{"half-mapped", mustOpen(b, halfMaps(b, worldwide), worldwide, Options{Clean: true})},
		{"unmapped", mustOpen(b, nil, worldwide, Options{})},
		{"line", mustOpen(b, nil, worldwide, Options{Fallback: Line})},
	} {
		b.Run(c.name, func(b *testing.B) {
			var table *Table
			for b.Loop() {
				table = c.set.Table(somewhere, nil)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(somewhere)), "ns/place")
			b.ReportMetric(float64(checksum(table.RTT)), "crc32")
		})
	}
}

// checksum makes it visible if an optimisation changes results.
func checksum(rtt []uint16) uint32 {
	return crc32.ChecksumIEEE(unsafe.Slice((*byte)(unsafe.Pointer(&rtt[0])), 2*len(rtt)))
}

func BenchmarkLookup(b *testing.B) {
	set := mustOpen(b, nil, worldwide, Options{})
	somewhere := places(1024)
	sum, i := 0.0, 0
	for b.Loop() {
		p := somewhere[i%len(somewhere)]
		ms, _ := set.Lookup(i%len(worldwide), p.Lat, p.Lon)
		sum += ms
		i++
	}
	if sum == 0 {
		b.Fatal("the benchmark looked up nothing")
	}
}

func BenchmarkOpen(b *testing.B) {
	maps := halfMaps(b, worldwide[:28])
	for b.Loop() {
		mustOpen(b, maps, worldwide[:28], Options{Clean: true})
	}
}
