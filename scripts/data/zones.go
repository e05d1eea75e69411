package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/csv"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// zones writes datasets/atlas/data/zones.zip, which contains the time zones of the built-in cities.
// The zones come from the time zone database that is part of Go. Run it after the list of cities has
// changed, or to update to a newer database. After an update, also change the release of the database
// in datasets/atlas/data/README.md and in atlas.Credits. The same cities and the same Go version give
// the same bytes.
func zones(arguments []string) error {
	flags := flag.NewFlagSet("zones", flag.ExitOnError)
	cities := flags.String("cities", "datasets/atlas/data/cities.csv", "list of cities")
	database := flags.String("zoneinfo", "", "zip file of all time zones (default that of the Go installation)")
	out := flags.String("out", "datasets/atlas/data/zones.zip", "file to write")
	_ = flags.Parse(arguments) // exits at an error
	return writeZones(*cities, *database, *out)
}

func writeZones(cities, database, out string) error {
	names, err := readZones(cities)
	if err != nil {
		return err
	}
	if database == "" {
		root, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			return fmt.Errorf("go env GOROOT: %w", err)
		}
		database = filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip")
	}
	from, err := zip.OpenReader(database)
	if err != nil {
		return fmt.Errorf("%s: %w", database, err)
	}
	defer from.Close()
	packed, err := pack(from, names)
	if err != nil {
		return fmt.Errorf("%s: %w", database, err)
	}
	return os.WriteFile(out, packed, 0o644)
}

// readZones returns the sorted, distinct names in the timezone column of a file.
func readZones(path string) ([]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(rows) == 0 || !slices.Contains(rows[0], "timezone") {
		return nil, fmt.Errorf("%s:1: no column timezone: expected the list of cities", path)
	}
	column := slices.Index(rows[0], "timezone")
	var names []string
	for _, row := range rows[1:] {
		names = append(names, row[column])
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// pack returns a zip file with the named time zones. The files in it have no modification times, so
// the result depends only on their content.
func pack(from fs.FS, names []string) ([]byte, error) {
	var packed bytes.Buffer
	to := zip.NewWriter(&packed)
	to.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestCompression)
	})
	for _, name := range names {
		zone, err := fs.ReadFile(from, name)
		if err != nil {
			return nil, err
		}
		file, err := to.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
		if err != nil {
			return nil, err
		}
		if _, err := file.Write(zone); err != nil {
			return nil, err
		}
	}
	if err := to.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}
