package commandtest

import (
	"fmt"
	"io"
	"net"
	"os"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"
)

// Fields has the fields of a protobuf message by number. The services for tests use the field
// numbers of the vendors' .proto files, and share no code with mmsim's own messages.
type Fields map[protowire.Number][]Field

// Field is the value of a field: the bits of a number, or bytes.
type Field struct {
	Bits  uint64
	Bytes []byte
}

// Parse reads the fields of a message.
func Parse(b []byte) Fields {
	fields := Fields{}
	for len(b) > 0 {
		number, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			panic("no message")
		}
		b = b[n:]
		var f Field
		switch kind {
		case protowire.VarintType:
			f.Bits, n = protowire.ConsumeVarint(b)
		case protowire.Fixed64Type:
			f.Bits, n = protowire.ConsumeFixed64(b)
		case protowire.BytesType:
			f.Bytes, n = protowire.ConsumeBytes(b)
		default:
			n = -1
		}
		if n < 0 {
			panic("no message")
		}
		fields[number] = append(fields[number], f)
		b = b[n:]
	}
	return fields
}

// Text returns the text in a field.
func (f Fields) Text(number protowire.Number) string {
	if len(f[number]) == 0 {
		return ""
	}
	return string(f[number][0].Bytes)
}

// In returns the message in a field.
func (f Fields) In(number protowire.Number) Fields {
	if len(f[number]) == 0 {
		return Fields{}
	}
	return Parse(f[number][0].Bytes)
}

// Map returns the map in a field. Its keys are texts, and its values are the values of field 2
// of each entry.
func (f Fields) Map(number protowire.Number) map[string]Field {
	m := map[string]Field{}
	for _, entry := range f[number] {
		e := Parse(entry.Bytes)
		for _, value := range e[2] {
			m[e.Text(1)] = value
		}
	}
	return m
}

// Bytes appends a field that contains a text or a message.
func Bytes(to []byte, number protowire.Number, value []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(to, number, protowire.BytesType), value)
}

// Stream is a call of a service's method.
type Stream struct{ grpc.ServerStream }

// Next reads a message. It returns nil at the end of the stream.
func (s Stream) Next() []byte {
	var b []byte
	if err := s.RecvMsg(&b); err != nil {
		return nil
	}
	if b == nil {
		b = []byte{}
	}
	return b
}

// ServeStreams serves gRPC calls on a free port until its standard input ends. It prints the
// address.
func ServeStreams(answer func(method string, s Stream) error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	server := grpc.NewServer(grpc.ForceServerCodecV2(raw{}), grpc.UnknownServiceHandler(func(_ any, s grpc.ServerStream) error {
		method, _ := grpc.MethodFromServerStream(s)
		return answer(method, Stream{s})
	}))
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	fmt.Println(listener.Addr())
	fmt.Fprintln(os.Stderr, server.Serve(listener))
	os.Exit(1)
}

// raw is a codec that does not change messages.
type raw struct{}

func (raw) Name() string { return "proto" }

func (raw) Marshal(v any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(v.([]byte))}, nil
}

func (raw) Unmarshal(data mem.BufferSlice, v any) error {
	*v.(*[]byte) = data.Materialize()
	return nil
}

// wrong commits a fault. It returns false if it does not know the fault's name.
func wrong(fault string, s Stream, message []byte) (error, bool) {
	switch fault {
	case "late":
		<-s.Context().Done()
		return nil, true
	case "garbage":
		return s.SendMsg([]byte{0xff, 0xff, 0xff}), true
	case "endless":
		for {
			if err := s.SendMsg(message); err != nil {
				return err, true
			}
		}
	case "many":
		for {
			if err := s.SendMsg([]byte{}); err != nil {
				return err, true
			}
		}
	case "big":
		return s.SendMsg(Bytes(nil, 1, make([]byte, 5<<20))), true
	case "says much":
		return status.Error(codes.Internal, strings.Repeat("no map ", 1000)), true
	case "dies":
		_ = s.SendMsg(message)
		os.Exit(3)
	case "says":
		return status.Error(codes.Internal, "no map for \x1b[31mthis"), true
	case "unimplemented":
		return status.Error(codes.Unimplemented, "unknown method"), true
	}
	return nil, false
}
