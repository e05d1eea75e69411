// Package atlas contains embedded data about the world: cities, countries, coastlines and time
// zones (see data/README.md).
package atlas
