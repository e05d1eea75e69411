package experiment

import (
	"encoding/hex"

	"mmsim/datasets"
	"mmsim/reports/collect"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// Reported describes searches and matches that a production log reports, as if this replication had
// simulated them. day has the places of the players and their joins. The description has no rules, which
// explain matches, and no attributes of players, because both depend on what the caller knows.
func (r *Replication) Reported(day *datasets.Day) (setup.Run, *sim.Places, collect.Header) {
	places := locate(day, r.inputs.Latency, r.Config.Latency.Fallback).under(&r.Config.States)
	s := r.Setup()
	s.Production, s.Patience, s.Places, s.Countries = true, true, places.located, places.countries
	s.Attributes, s.Texts, s.Servers, s.Jitter = nil, nil, nil, false
	for i := range s.Queues {
		s.Queues[i].Rules = nil
	}
	h := r.header(true)
	h.DatasetSHA256, h.Resample, h.Warmup, h.Warnings, h.Latency = hex.EncodeToString(day.SHA256[:]), false, 0, nil, places.latency
	return s, places.places, h
}
