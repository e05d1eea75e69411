package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// A named item is a member of a JSON object whose order matters to a reader. member
// returns where its name is kept and what stands under that name.
type named[T any] func(item *T) (name *string, body any)

func (a *Attribute) member() (*string, any)        { return &a.Name, a }
func (o *Overlap) member() (*string, any)          { return &o.Name, o }
func (r *Relaxation) member() (*string, any)       { return &r.Name, r }
func (p *Part) member() (*string, any)             { return &p.Name, p }
func (d *Datacenter) member() (*string, any)       { return &d.Name, d }
func (g *Group) member() (*string, any)            { return &g.Name, g }
func (m *Metric) member() (*string, any)           { return &m.Name, m }
func (a *AttributeDeciles) member() (*string, any) { return &a.Name, &a.Deciles }

// MarshalJSON writes an object with a member per item, in order.
func (a Attributes) MarshalJSON() ([]byte, error) { return marshalObject(a, (*Attribute).member) }

// MarshalJSON writes an object with a member per item, in order.
func (o Overlaps) MarshalJSON() ([]byte, error) { return marshalObject(o, (*Overlap).member) }

// MarshalJSON writes an object with a member per item, in order.
func (r Relaxations) MarshalJSON() ([]byte, error) { return marshalObject(r, (*Relaxation).member) }

// MarshalJSON writes an object with a member per item, in order.
func (p Parts) MarshalJSON() ([]byte, error) { return marshalObject(p, (*Part).member) }

// MarshalJSON writes an object with a member per item, in order.
func (d Datacenters) MarshalJSON() ([]byte, error) { return marshalObject(d, (*Datacenter).member) }

// MarshalJSON writes an object with a member per item, in order.
func (g Groups) MarshalJSON() ([]byte, error) { return marshalObject(g, (*Group).member) }

// MarshalJSON writes an object with a member per item, in order.
func (d Deciles) MarshalJSON() ([]byte, error) { return marshalObject(d, (*AttributeDeciles).member) }

// MarshalJSON writes an object with a member per item, in order.
func (m Metrics) MarshalJSON() ([]byte, error) { return marshalObject(m, (*Metric).member) }

// UnmarshalJSON reads what MarshalJSON wrote, in the order of the text.
func (m *Metrics) UnmarshalJSON(text []byte) (err error) {
	*m, err = parseObject(text, (*Metric).member)
	return err
}

// UnmarshalJSON reads what MarshalJSON wrote, in the order of the text.
func (a *Attributes) UnmarshalJSON(text []byte) (err error) {
	*a, err = parseObject(text, (*Attribute).member)
	return err
}

// UnmarshalJSON reads what MarshalJSON wrote, in the order of the text.
func (o *Overlaps) UnmarshalJSON(text []byte) (err error) {
	*o, err = parseObject(text, (*Overlap).member)
	return err
}

// UnmarshalJSON reads what MarshalJSON wrote, in the order of the text.
func (r *Relaxations) UnmarshalJSON(text []byte) (err error) {
	*r, err = parseObject(text, (*Relaxation).member)
	return err
}

// UnmarshalJSON reads what MarshalJSON wrote, in the order of the text.
func (p *Parts) UnmarshalJSON(text []byte) (err error) {
	*p, err = parseObject(text, (*Part).member)
	return err
}

// UnmarshalJSON reads what MarshalJSON wrote, in the order of the text.
func (d *Datacenters) UnmarshalJSON(text []byte) (err error) {
	*d, err = parseObject(text, (*Datacenter).member)
	return err
}

// UnmarshalJSON reads what MarshalJSON wrote, in the order of the text.
func (g *Groups) UnmarshalJSON(text []byte) (err error) {
	*g, err = parseObject(text, (*Group).member)
	return err
}

// UnmarshalJSON reads what MarshalJSON wrote, in the order of the text.
func (d *Deciles) UnmarshalJSON(text []byte) (err error) {
	*d, err = parseObject(text, (*AttributeDeciles).member)
	return err
}

func marshalObject[T any](items []T, member named[T]) ([]byte, error) {
	text := []byte{'{'}
	for i := range items {
		name, body := member(&items[i])
		key, err := json.Marshal(*name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = append(append(append(text, key...), ':'), value...)
	}
	return append(text, '}'), nil
}

// parseObject reads an object; null is an empty one. The text is valid JSON, since
// encoding/json checks a whole document before it hands out parts.
func parseObject[T any](text []byte, member named[T]) ([]T, error) {
	items := []T{}
	decoder := json.NewDecoder(bytes.NewReader(text))
	start, err := decoder.Token()
	if err != nil || start == nil {
		return items, err
	}
	if start != json.Delim('{') {
		return nil, fmt.Errorf("%s, want an object", shorten(string(text)))
	}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		var item T
		name, body := member(&item)
		if err := decoder.Decode(body); err != nil {
			return nil, fmt.Errorf("%q: %w", key, err)
		}
		*name = key.(string)
		items = append(items, item)
	}
	return items, nil
}
