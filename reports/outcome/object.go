package outcome

import (
	"encoding/json"
	"reflect"
	"strconv"
)

// An Object is a list that is written as a JSON object with a member for each item, in the order
// of the list. ReadForm reads it. The first field of T is a string that becomes the JSON key, and the
// item is the value under that key, unless *T implements Member.
type Object[T any] []T

// A Member is an item of an Object whose value is not the item itself.
type Member interface {
	// Member returns a pointer to the item's name, which becomes the JSON key, and the value to
	// encode or decode under that key.
	Member() (name *string, body any)
}

// memberOf returns the name of an item of an Object, and the value under that name.
func memberOf(item reflect.Value) (name *string, body reflect.Value) {
	if m, is := item.Addr().Interface().(Member); is {
		name, value := m.Member()
		return name, reflect.ValueOf(value).Elem()
	}
	return item.Field(0).Addr().Interface().(*string), item
}

// MarshalJSON writes an object with a member for each item, in order.
func (o Object[T]) MarshalJSON() ([]byte, error) {
	text := []byte{'{'}
	for i := range o {
		name, body := memberOf(reflect.ValueOf(&o[i]).Elem())
		key, err := json.Marshal(*name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(body.Addr().Interface())
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
