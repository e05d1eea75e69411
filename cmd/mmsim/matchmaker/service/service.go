// Package service calls external matchmakers that are gRPC services: match functions of Open Match
// 2 ([OpenOpenMatch]) and match function servers of AccelByte ([OpenAccelByte]). This file has what
// they share: connections, ticket ids, times and error messages.
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

	"mmsim/cmd/mmsim/input"
	"mmsim/matcher/external/exchange"
)

// CheckAddress returns an error if address is not HOST:PORT.
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

// Limits of a service's messages. They bound the memory that a faulty service can take.
const (
	// MaxMessage is the maximum size of one message. It is gRPC's default, which clients of these
	// services have, too.
	MaxMessage = 4 << 20
	// MaxTicket is the maximum size of a ticket that the service changed. mmsim keeps it while the
	// ticket waits.
	MaxTicket = 64 << 10
	// errorChars is the number of characters of a service's error that a message shows.
	errorChars = 200
)

// Dial creates a connection to a service. It uses neither encryption nor a proxy, because the
// service is usually a developer's own, under test.
func Dial(address string) (*grpc.ClientConn, error) {
	return grpc.NewClient("passthrough:///"+address,
		grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithNoProxy(), grpc.WithDisableServiceConfig(),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(MaxMessage)))
}

// Reach checks that an address accepts connections.
func Reach(ctx context.Context, address string) error {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return fmt.Errorf("cannot connect: %w", err)
	}
	return conn.Close()
}

// Error converts the error of a method call, so that it quotes the service's message. It
// returns nil for the regular end of a stream.
func Error(ctx context.Context, method string, err error) error {
	switch {
	case err == nil || errors.Is(err, io.EOF):
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	s := status.Convert(err)
	said, rest := input.Shortened(s.Message(), errorChars)
	switch {
	case s.Code() == codes.Unavailable:
		return fmt.Errorf("%s: the service is not available: %q%s", method, said, rest)
	case s.Code() == codes.ResourceExhausted && strings.HasPrefix(said, "grpc: received message larger than max"):
		return fmt.Errorf("%s: its message is longer than %d MB (MaxMessage)", method, MaxMessage>>20)
	}
	return fmt.Errorf("%s: %s: %q%s", method, s.Code(), said, rest)
}

// Call returns the context for a method call. It ends with ctx but has no deadline, because a
// server that receives a deadline ends the call itself, and its error could arrive before
// mmsim's own.
func Call(ctx context.Context) (context.Context, context.CancelFunc) {
	inner, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, cancel)
	return inner, func() { stop(); cancel() }
}

// Ask calls a method that has one request and one response, and adds both to the cost.
func Ask[Q, R any](ctx context.Context, method string, call func(context.Context, *Q, ...grpc.CallOption) (*R, error), cost *exchange.Cost, q *Q) (*R, error) {
	inner, cancel := Call(ctx)
	defer cancel()
	r, err := call(inner, q)
	if err == nil {
		cost.Add(Size(any(q).(proto.Message)))
		cost.Add(Size(any(r).(proto.Message)))
	}
	return r, Error(ctx, method, err)
}

// A Budget limits the size of a service's responses in one pass, and counts all messages.
type Budget struct {
	Cost      exchange.Cost
	bytes     int // of responses
	responses int
	known     sizes
}

// Known sets the size of a message that is part of requests. It must be the result of Size.
func (b *Budget) Known(m proto.Message, bytes int) {
	if b.known == nil {
		b.known = sizes{}
	}
	b.known[m] = bytes
}

// Talk calls a method with streams in both directions. send sends each request by calling its
// argument. take receives each response, concurrently with send, because a service may answer
// before it has read all requests.
func Talk[Q, R any](ctx context.Context, method string, call func(context.Context, ...grpc.CallOption) (grpc.BidiStreamingClient[Q, R], error),
	budget *Budget, send func(func(*Q) error) error, take func(*R)) error {
	inner, cancel := Call(ctx)
	defer cancel()
	stream, err := call(inner)
	if err != nil {
		return Error(ctx, method, err)
	}
	sent := make(chan error, 1)
	requests := &sender[Q]{stream: stream, known: budget.known}
	go func() {
		err := send(requests.send)
		if err == nil {
			err = stream.CloseSend()
		} else { // an error of mmsim, or the error that ended the stream
			cancel()
		}
		sent <- err
	}()
	for err == nil {
		var r *R
		if r, err = stream.Recv(); err == nil {
			bytes := Size(any(r).(proto.Message))
			budget.Cost.Add(bytes)
			if budget.bytes += bytes + messageBytes; budget.bytes > exchange.MaxLine {
				err = fmt.Errorf("%s: its answer is longer than %d MB (MaxLine)", method, exchange.MaxLine>>20)
				break
			}
			if budget.responses++; budget.responses > exchange.MaxProposals {
				err = fmt.Errorf("%s: %w", method, exchange.ErrProposals)
				break
			}
			take(r)
			continue
		}
		err = Error(ctx, method, err)
		if err == nil { // the regular end of the stream
			err = <-sent
			budget.Cost = budget.Cost.Plus(requests.cost)
			return err
		}
	}
	cancel()
	if fault := <-sent; fault != nil && status.Code(fault) == codes.Unknown {
		return fault // a message could not be sent
	}
	return err
}

// sender sends the requests of a stream and counts them.
type sender[Q any] struct {
	stream interface{ Send(*Q) error }
	known  sizes
	cost   exchange.Cost
	closed bool
}

// send sends a request. If the service has closed the stream, it only counts the request, so that
// the cost does not depend on when the service does so.
func (s *sender[Q]) send(q *Q) error {
	s.cost.Add(s.known.size(any(q).(proto.Message).ProtoReflect()))
	if s.closed {
		return nil
	}
	err := s.stream.Send(q)
	if errors.Is(err, io.EOF) {
		s.closed = true
		return nil
	}
	return err
}

// messageBytes is the number of bytes by which each message counts in addition to its content.
const messageBytes = 16

// Names is a prefix of the ids that are sent to a service. It contains the queue and run,
// because a service may serve several exchanges at a time.
type Names string

// NamesOf returns the Names of an exchange.
func NamesOf(h *exchange.Hello) Names {
	if h.Queue == "" {
		return Names(fmt.Sprintf("%d-", h.Run))
	}
	return Names(fmt.Sprintf("%s-%d-", h.Queue, h.Run))
}

// Out returns the id to send to the service.
func (n Names) Out(id string) string { return string(n) + id }

// In converts an id from the service back to mmsim's id. It does not change an id without the
// prefix.
func (n Names) In(id string) string { return strings.TrimPrefix(id, string(n)) }

// A Clock converts virtual times to times of the real clock, so that services, which read the
// real clock, see the correct age of each ticket.
type Clock struct {
	now   time.Time
	nowMS int64
}

// ClockAt returns the Clock of a pass at the given virtual time.
func ClockAt(nowMS int64) Clock { return Clock{time.Now(), nowMS} }

// Time converts a virtual time to the real clock.
func (c Clock) Time(ms int64) *timestamppb.Timestamp {
	return timestamppb.New(c.now.Add(-time.Duration(c.nowMS-ms) * time.Millisecond))
}
