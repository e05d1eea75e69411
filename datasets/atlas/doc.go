// Package atlas holds what the binary knows of the world: cities, countries,
// coastlines and time zones, all embedded (see data/README.md).
package atlas
