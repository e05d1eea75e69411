package service

import (
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Size returns the size of a message in bytes. Unlike proto.Size, it does not depend on the real
// clock: every Timestamp counts as if it had its largest size, because a time with fewer digits
// needs fewer bytes.
func Size(m proto.Message) int { return sizes(nil).size(m.ProtoReflect()) }

// sizes has the sizes of tickets, which are sent in many passes. Measuring a ticket takes as long as
// encoding it.
type sizes map[proto.Message]int

const (
	timestamp = "google.protobuf.Timestamp"
	anything  = "google.protobuf.Any"
	// timestampBytes is the size of a Timestamp with the largest nanos and with seconds of the
	// years 1978 to 3058: two tags of 1 byte, and two numbers of 5 bytes.
	timestampBytes = 12
)

func (s sizes) size(m protoreflect.Message) (n int) {
	if known, is := s[m.Interface()]; is {
		return known
	}
	name := m.Descriptor().FullName()
	if name == timestamp {
		return timestampBytes
	}
	n = len(m.GetUnknown())
	holdsTime := name == anything && strings.HasSuffix(m.Get(m.Descriptor().Fields().ByName("type_url")).String(), timestamp)
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		tag := protowire.SizeTag(f.Number())
		switch {
		case f.IsMap():
			v.Map().Range(func(key protoreflect.MapKey, value protoreflect.Value) bool {
				n += tag + protowire.SizeBytes(1+s.sizeOf(f.MapKey(), key.Value())+1+s.sizeOf(f.MapValue(), value))
				return true
			})
		case f.IsList():
			n += s.sizeOfList(f, v.List())
		case holdsTime && f.Kind() == protoreflect.BytesKind:
			n += tag + protowire.SizeBytes(timestampBytes)
		default:
			n += tag + s.sizeOf(f, v)
		}
		return true
	})
	return n
}

// sizeOfList returns the size of a repeated field.
func (s sizes) sizeOfList(f protoreflect.FieldDescriptor, list protoreflect.List) (n int) {
	tag := protowire.SizeTag(f.Number())
	for i := range list.Len() {
		n += s.sizeOf(f, list.Get(i))
	}
	if f.IsPacked() {
		return tag + protowire.SizeBytes(n)
	}
	return n + tag*list.Len()
}

// sizeOf returns the size of a value without its tag. It knows the kinds of the services' messages.
func (s sizes) sizeOf(f protoreflect.FieldDescriptor, v protoreflect.Value) int {
	switch f.Kind() {
	case protoreflect.MessageKind:
		return protowire.SizeBytes(s.size(v.Message()))
	case protoreflect.StringKind:
		return protowire.SizeBytes(len(v.String()))
	case protoreflect.BytesKind:
		return protowire.SizeBytes(len(v.Bytes()))
	case protoreflect.DoubleKind:
		return 8
	case protoreflect.BoolKind:
		return 1
	case protoreflect.EnumKind:
		return protowire.SizeVarint(uint64(v.Enum()))
	case protoreflect.Int32Kind, protoreflect.Int64Kind:
		return protowire.SizeVarint(uint64(v.Int()))
	}
	panic("service: size of a field of unknown kind " + f.Kind().String())
}
