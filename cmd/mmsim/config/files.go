package config

import "mmsim/cmd/mmsim/yamltree"

// LoadText resolves a configuration like Load, but from text instead of a file. Relative paths
// in text are relative to folder. LoadText calls rename before it opens any file that the
// configuration names; rename may change the names or return an error.
func LoadText(text []byte, name, folder string, rename func(*Config) error) (*Config, error) {
	root, err := yamltree.Parse(text, &yamltree.Source{Name: name, Folder: folder})
	if err != nil {
		return nil, err
	}
	l := newLoader()
	if err := l.apply(root); err != nil {
		return nil, err
	}
	if err := l.finish(); err != nil {
		return nil, err
	}
	if err := rename(l.config); err != nil {
		return nil, err
	}
	return l.config, l.config.complete()
}
