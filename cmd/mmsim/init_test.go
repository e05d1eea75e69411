package main

import "testing"

// What the project sweeps and tunes is sound; simulating it is the user's.
func TestProjectSpecs(t *testing.T) {
	t.Chdir("project")
	sweep, err := readSweep("play-again.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := sweep.plan(newCache(1)); err != nil {
		t.Error(err)
	}
	if _, err := readTuning("tune.yaml"); err != nil {
		t.Error(err)
	}
}
