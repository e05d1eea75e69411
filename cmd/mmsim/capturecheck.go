package main

// checkCaptures checks all that are wanted.
func (in *inputs) checkCaptures() error {
	for _, s := range in.captures {
		if err := s.Check(in.config, in.datacenters, in.rulesets); err != nil {
			return err
		}
	}
	return nil
}
