package experiment

import "mmsim/cmd/mmsim/experiment/capture"

// CheckCaptures finds out before a run what would keep a scene from being captured.
func (in *Inputs) CheckCaptures(list []*capture.Request) error {
	for _, s := range list {
		if err := s.Check(in.Config, in.Datacenters, in.rulesets); err != nil {
			return err
		}
	}
	return nil
}
