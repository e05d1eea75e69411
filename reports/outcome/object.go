package outcome

import (
	"encoding/json"
	"strconv"
)

// An Object is a list that is written as a JSON object with a member for each item, in the order
// of the list. ReadForm reads it. *T must implement Member.
type Object[T any] []T

// A Member is an item of an Object.
type Member interface {
	// Member returns a pointer to the item's name, which becomes the JSON key, and the value to
	// encode or decode under that key.
	Member() (name *string, body any)
}

// MarshalJSON writes an object with a member for each item, in order.
func (o Object[T]) MarshalJSON() ([]byte, error) {
	text := []byte{'{'}
	for i := range o {
		name, body := any(&o[i]).(Member).Member()
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

// Quoted quotes text for a message and cuts it off after 60 bytes.
func Quoted(text string) string {
	const limit = 60
	if len(text) > limit {
		return strconv.Quote(text[:limit]) + "…"
	}
	return strconv.Quote(text)
}
