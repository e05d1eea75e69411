package config

import "mmsim/cmd/mmsim/yamltree"

// LoadText resolves a configuration like Load, from the text of a file in a folder. Before
// any other file is opened, rename may change or refuse the names of files.
func LoadText(text []byte, name, folder string, rename func(*Config) error) (*Config, error) {
	root, err := yamltree.Parse(text, &yamltree.Source{Name: name, Folder: folder})
	if err != nil {
		return nil, err
	}
	l := newLoader()
	if err := l.apply("", root); err != nil {
		return nil, err
	}
	if err := l.finish(); err != nil {
		return nil, err
	}
	if err := rename(l.config); err != nil {
		return nil, err
	}
	return l.config, l.config.settle()
}
