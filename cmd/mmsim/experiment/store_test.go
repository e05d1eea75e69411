package experiment

import (
	"encoding/json"
	"os"
	"strings"
	"syscall"
	"testing"
)

// Has finds the jobs that Get finds, and only those, except that it does not see what is broken
// between the beginning and the end of a file.
func TestHasAgreesWithGet(t *testing.T) {
	in, err := Load(smallConfig(t), NewCache(1))
	if err != nil {
		t.Fatal(err)
	}
	folder := Folder{Dir: t.TempDir()}
	if err := folder.Open(); err != nil {
		t.Fatal(err)
	}
	e := Experiment{Arms: []Arm{{Config: in.Config, Inputs: in}}, Runs: []uint64{0}}
	if err := e.Run(t.Context(), Options{Store: folder}); err != nil {
		t.Fatal(err)
	}
	hash, err := in.JobHash(0)
	if err != nil {
		t.Fatal(err)
	}
	name := folder.file(hash)
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text := string(whole)
	other := strings.Repeat("0", len(hash))
	var flat any
	if err := json.Unmarshal(whole, &flat); err != nil {
		t.Fatal(err)
	}
	reformatted, err := json.Marshal(flat)
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		text      string
		has, sees bool // what Has and Get find
	}{
		"whole":                   {text, true, true},
		"empty":                   {"", false, false},
		"short":                   {"{\n}\n", false, false},
		"beginning only":          {text[:600] + "\n}\n", true, false},
		"cut off":                 {text[:len(text)-2], false, false},
		"without line break":      {text[:len(text)-1], true, true},
		"followed by more":        {text + "{}\n", false, false},
		"of another version":      {strings.Replace(text, `"version": "`, `"version": "v`, 1), false, false},
		"of an incomplete run":    {strings.Replace(text, `"complete": true`, `"complete": false`, 1), false, false},
		"of another job":          {strings.Replace(text, hash, other, 1), false, false},
		"of another schema":       {strings.Replace(text, `"schema": 2`, `"schema": 3`, 1), false, false},
		"with keys in any order":  {string(reformatted), true, true},
		"broken in between":       {strings.Replace(text, `"entries": `, `"entries": x`, 1), true, false},
		"with a later version":    {strings.Replace(text, `"run": {`, `"run": {"version": "other",`, 1), false, false},
		"with a number too large": {strings.Replace(text, `"seed": 1`, `"seed": 123456789012345678901`, 1), true, false},
	} {
		if err := os.WriteFile(name, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		has, err := folder.Has(hash)
		if err != nil || has != c.has {
			t.Errorf("%s: Has: got %t (error %v), want %t", what, has, err, c.has)
		}
		if found, err := folder.Get(hash); err != nil || (found != nil) != c.sees {
			t.Errorf("%s: Get: got %t (error %v), want %t", what, found != nil, err, c.sees)
		}
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if has, err := folder.Has(hash); err != nil || has {
		t.Errorf("no file: got %t (error %v), want false", has, err)
	}
	if err := syscall.Mkfifo(name, 0o666); err != nil {
		t.Fatal(err)
	}
	if has, err := folder.Has(hash); err == nil || has {
		t.Errorf("a pipe: got %t (error %v), want an error", has, err)
	}
}
