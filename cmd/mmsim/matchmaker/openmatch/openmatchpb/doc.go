// Package openmatchpb is the wire format of Open Match 2's match functions: the messages and
// the client and server of the service, generated from the .proto files here. To generate
// them again after a change, with Debian's protobuf-compiler, in the folder above:
//
//	go install google.golang.org/protobuf/cmd/protoc-gen-go@v1.36.12
//	go install google.golang.org/grpc/cmd/protoc-gen-go-grpc@v1.6.2
//	protoc --go_out=. --go_opt=paths=source_relative --go-grpc_out=. --go-grpc_opt=paths=source_relative openmatchpb/*.proto
package openmatchpb
