package config

import "mmsim/datasets"

// presetNames lists the presets of the built-in day.
func presetNames() []string {
	var names []string
	for _, preset := range datasets.Presets() {
		names = append(names, preset.Name)
	}
	return names
}
