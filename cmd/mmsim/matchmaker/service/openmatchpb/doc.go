// Package openmatchpb has the messages, client and server of Open Match 2's match functions,
// generated from the .proto files in this folder. To generate them again after a change,
// install Debian's protobuf-compiler and run in the folder above:
//
//	go install google.golang.org/protobuf/cmd/protoc-gen-go@v1.36.12
//	go install google.golang.org/grpc/cmd/protoc-gen-go-grpc@v1.6.2
//	protoc --go_out=. --go_opt=paths=source_relative --go-grpc_out=. --go-grpc_opt=paths=source_relative openmatchpb/*.proto
package openmatchpb
