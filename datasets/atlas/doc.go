// Package atlas contains embedded data about the world: cities, countries, coastlines, time
// zones, and the regions of companies that host game servers (see data/README.md).
package atlas
