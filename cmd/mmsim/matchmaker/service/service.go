// Package service is the common part of matchmakers that are gRPC services: their connection,
// the ids of their tickets, and their error messages.
package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"mmsim/matcher/external/exchange"
)

// CheckAddress returns an error if an address is not valid.
func CheckAddress(address string) error {
	_, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return fmt.Errorf("%q, which is not HOST:PORT", address)
	}
	return nil
}

// Dial creates a connection to a service. It uses no encryption, because the service is one
// under test, and no proxy.
func Dial(address string) (*grpc.ClientConn, error) {
	return grpc.NewClient("passthrough:///"+address,
		grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithNoProxy(), grpc.WithDisableServiceConfig(),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(exchange.MaxLine)))
}

// Reach checks that an address accepts connections.
func Reach(ctx context.Context, address string) error {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return fmt.Errorf("nothing answers there: %w", err)
	}
	return conn.Close()
}

// Error returns the error of a call of a method, nil at the regular end of a stream. It
// quotes the message of the service.
func Error(ctx context.Context, method string, err error) error {
	switch {
	case err == nil || errors.Is(err, io.EOF):
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	s := status.Convert(err)
	if s.Code() == codes.Unavailable {
		return fmt.Errorf("%s: the service is not there: %q", method, s.Message())
	}
	return fmt.Errorf("%s: %s: %q", method, s.Code(), s.Message())
}

// Call returns the context of a call. It ends with ctx, but has no deadline: a server that
// receives a deadline ends the call itself, and its error would sometimes arrive before
// mmsim's.
func Call(ctx context.Context) (context.Context, context.CancelFunc) {
	inner, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, cancel)
	return inner, func() { stop(); cancel() }
}

// Ask calls a method that has one message and one answer.
func Ask[Q, R any](ctx context.Context, method string, call func(context.Context, *Q, ...grpc.CallOption) (*R, error), q *Q) (*R, error) {
	inner, cancel := Call(ctx)
	defer cancel()
	r, err := call(inner, q)
	return r, Error(ctx, method, err)
}

// A Budget limits the size of a service's answers to one pass.
type Budget struct{ bytes int }

// Talk calls a method with streams in both directions. send gets a function that sends a
// message; take gets the answers concurrently, because a service may answer before it has
// read everything. An error of take ends the call.
func Talk[Q, R any](ctx context.Context, method string, call func(context.Context, ...grpc.CallOption) (grpc.BidiStreamingClient[Q, R], error),
	budget *Budget, send func(func(*Q) error) error, take func(*R)) error {
	inner, cancel := Call(ctx)
	defer cancel()
	stream, err := call(inner)
	if err != nil {
		return Error(ctx, method, err)
	}
	sent := make(chan error, 1)
	go func() {
		err := send(stream.Send)
		if err == nil {
			err = stream.CloseSend()
		} else if !errors.Is(err, io.EOF) { // a fault of mmsim, or the error that ended the stream
			cancel()
		}
		sent <- err
	}()
	for err == nil {
		var r *R
		if r, err = stream.Recv(); err == nil {
			if budget.bytes += proto.Size(any(r).(proto.Message)) + messageBytes; budget.bytes > exchange.MaxLine {
				err = fmt.Errorf("%s: its answer is longer than %d MB (MaxLine)", method, exchange.MaxLine>>20)
				break
			}
			take(r)
			continue
		}
		err = Error(ctx, method, err)
		if err == nil { // the regular end of the stream
			return regular(<-sent)
		}
	}
	cancel()
	if fault := regular(<-sent); fault != nil && status.Code(fault) == codes.Unknown {
		return fault // the error of the message that could not be sent
	}
	return err
}

// regular returns an error of sending, nil if the service has closed the stream.
func regular(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// messageBytes is the cost of a message in addition to its content.
const messageBytes = 16

// Names are the prefix of ids in the service's view. A service may serve several exchanges at
// once, so the ids begin with queue and run.
type Names string

// NamesOf returns the names of an exchange.
func NamesOf(h *exchange.Hello) Names {
	if h.Queue == "" {
		return Names(fmt.Sprintf("%d-", h.Run))
	}
	return Names(fmt.Sprintf("%s-%d-", h.Queue, h.Run))
}

// Out returns an id as the service sees it.
func (n Names) Out(id string) string { return string(n) + id }

// In returns the id in mmsim's form. An id that is not of this exchange is unchanged.
func (n Names) In(id string) string { return strings.TrimPrefix(id, string(n)) }

// A Clock converts instants of the virtual clock to times of the real clock, which services
// read: the age of a ticket is the same on both.
type Clock struct {
	now   time.Time
	nowMS int64
}

// ClockAt returns the clock of a pass at an instant.
func ClockAt(nowMS int64) Clock { return Clock{time.Now(), nowMS} }

// Time returns the time of an instant.
func (c Clock) Time(ms int64) *timestamppb.Timestamp {
	return timestamppb.New(c.now.Add(-time.Duration(c.nowMS-ms) * time.Millisecond))
}
