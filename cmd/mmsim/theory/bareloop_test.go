package theory_test

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// bareLoop is the reference for the speed of a day. It runs the default matchmaker on the
// same joins, maps and rules in the simplest code: in whole seconds, without warm-up,
// statistics, checks or files. Everything else in `mmsim run` may take at most 1.9 times as
// long as the bare loop.
type bareLoop struct {
	joins       [86400][]uint32 // places by second
	rtt         [][]float32     // by place
	datacenters []bareDatacenter
	places      map[string]uint32
	matches     int
	rttSum      float64
}

type bareDatacenter struct {
	lat, lon float64
	grid     []float32 // nil without a map
}

type barePlayer struct {
	place uint32
	state uint8 // 0 ideal, 1 expand, 2 warm body, 3 not waiting
	until int
}

func (b *bareLoop) readDay(r io.Reader) error {
	z, err := gzip.NewReader(r)
	if err != nil {
		return err
	}
	b.places = map[string]uint32{}
	lines := bufio.NewScanner(z)
	for lines.Scan() {
		line := lines.Bytes()
		place, known := b.places[string(line[9:])]
		if !known {
			place = uint32(len(b.rtt))
			b.places[string(line[9:])] = place
			b.rtt = append(b.rtt, b.costs(string(line[9:])))
		}
		digits := func(i int) int { return int(line[i]-'0')*10 + int(line[i+1]-'0') }
		second := digits(0)*3600 + digits(3)*60 + digits(6)
		b.joins[second] = append(b.joins[second], place)
	}
	return lines.Err()
}

func (b *bareLoop) readDatacenters(folder string) error {
	text, err := os.ReadFile(filepath.Join(folder, "datacenters.csv"))
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSpace(line), ",")
		if len(cells) < 4 {
			continue
		}
		var dc bareDatacenter
		dc.lat, _ = strconv.ParseFloat(cells[2], 64)
		dc.lon, _ = strconv.ParseFloat(cells[3], 64)
		if bin, err := os.ReadFile(filepath.Join(folder, "latency_"+cells[1]+".bin")); err == nil {
			dc.grid = make([]float32, len(bin)/4)
			for i := range dc.grid {
				dc.grid[i] = math.Float32frombits(binary.LittleEndian.Uint32(bin[i*4:]))
			}
		}
		b.datacenters = append(b.datacenters, dc)
	}
	return err
}

// costs returns the RTTs of a place to all datacenters. They come from the map or, without a
// map, from the distance.
func (b *bareLoop) costs(place string) (row []float32) {
	latText, lonText, _ := strings.Cut(place, ",")
	lat, _ := strconv.ParseFloat(latText, 64)
	lon, _ := strconv.ParseFloat(lonText, 64)
	cell := (89-int(math.Floor(lat)))*360 + (int(math.Floor(lon))+180)%360
	for _, dc := range b.datacenters {
		if dc.grid != nil && dc.grid[cell] > 0 {
			row = append(row, dc.grid[cell])
			continue
		}
		rad := math.Pi / 180
		x, y := math.Sin((dc.lat-lat)*rad/2), math.Sin((dc.lon-lon)*rad/2)
		km := 2 * 6371 * math.Asin(math.Sqrt(x*x+math.Cos(lat*rad)*math.Cos(dc.lat*rad)*y*y))
		row = append(row, float32(18.5+15.8*km/1000))
	}
	return row
}

// bareState is the state of a replay.
type bareState struct {
	*bareLoop
	random        *rand.Rand
	players       []barePlayer
	free          []uint32
	waiting, warm []uint32
	queues        [][]uint32
	back          [86400 + bareLength + barePause + 1][]uint32 // players who return, by second
}

const bareLength, barePause, bareLimit = 300, 30, 10

// replay runs the day.
func (b *bareLoop) replay(random *rand.Rand) {
	w := &bareState{bareLoop: b, random: random, queues: make([][]uint32, len(b.datacenters))}
	for now := range b.joins {
		for _, p := range w.back[now] {
			if random.Float64() < 0.75 {
				w.enter(p, now)
			} else {
				w.free = append(w.free, p)
			}
		}
		for _, place := range b.joins[now] {
			w.enter(w.join(place), now)
		}
		w.fillQueues(now)
		for _, d := range random.Perm(len(w.queues)) {
			w.turn(d, now)
		}
		keep := w.waiting[:0]
		for _, p := range w.waiting {
			if w.players[p].state < 3 {
				keep = append(keep, p)
			}
		}
		w.waiting = keep
	}
}

func (w *bareState) join(place uint32) (p uint32) {
	if n := len(w.free); n > 0 {
		p, w.free = w.free[n-1], w.free[:n-1]
	} else {
		p = uint32(len(w.players))
		w.players = append(w.players, barePlayer{})
	}
	w.players[p].place = place
	return p
}

func (w *bareState) enter(p uint32, now int) {
	player := &w.players[p]
	player.until = now + bareLimit
	best := float32(math.Inf(1))
	for _, rtt := range w.rtt[player.place] {
		best = min(best, rtt)
	}
	switch {
	case best <= 50:
		player.state = 0
	case best <= 100:
		player.state = 1
	default:
		player.state = 2
	}
	w.waiting = append(w.waiting, p)
}

func (w *bareState) fillQueues(now int) {
	w.warm = w.warm[:0]
	for d := range w.queues {
		w.queues[d] = w.queues[d][:0]
	}
	for _, p := range w.waiting {
		player := &w.players[p]
		if player.until <= now && player.state < 2 {
			player.state++
			player.until += bareLimit
		}
		if player.state == 2 {
			w.warm = append(w.warm, p)
			continue
		}
		threshold := float32(50 + 50*int(player.state))
		for d, rtt := range w.rtt[player.place] {
			if rtt <= threshold {
				w.queues[d] = append(w.queues[d], p)
			}
		}
	}
}

func (w *bareState) turn(d, now int) {
	queue := w.queues[d][:0]
	for _, p := range w.queues[d] {
		if w.players[p].state < 2 {
			queue = append(queue, p)
		}
	}
	w.random.Shuffle(len(queue), func(i, j int) { queue[i], queue[j] = queue[j], queue[i] })
	for len(queue) >= 4 {
		w.start(d, now, queue[:4])
		queue = queue[4:]
	}
	if need := 4 - len(queue); len(queue) > 0 && len(w.warm) >= need {
		queue = append(queue, w.warm[:need]...)
		w.warm = w.warm[need:]
		w.start(d, now, queue)
	}
}

func (w *bareState) start(d, now int, group []uint32) {
	w.matches++
	for _, p := range group {
		w.players[p].state = 3
		w.rttSum += float64(w.rtt[w.players[p].place][d])
		w.back[now+bareLength+barePause] = append(w.back[now+bareLength+barePause], p)
	}
}

func (b *bareLoop) run(data string) error {
	if err := b.readDatacenters(filepath.Join(data, "masbandwidth")); err != nil {
		return err
	}
	file, err := os.Open(filepath.Join(data, "day.csv.gz"))
	if err != nil {
		return err
	}
	defer file.Close()
	if err := b.readDay(file); err != nil {
		return err
	}
	b.replay(rand.New(rand.NewPCG(1, 1)))
	return nil
}

func (b *bareLoop) String() string {
	return fmt.Sprintf("%d matches, mean RTT %.2f ms", b.matches, b.rttSum/float64(4*b.matches))
}
