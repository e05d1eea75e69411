package experiment

// CheckCaptures checks all that are wanted.
func (in *Inputs) CheckCaptures() error {
	for _, s := range in.Captures {
		if err := s.Check(in.Config, in.Datacenters, in.rulesets); err != nil {
			return err
		}
	}
	return nil
}
