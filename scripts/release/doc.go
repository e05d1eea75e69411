// Package release tests the script that builds a release (build.sh), the GitHub workflows, and the
// action that installs a release. It has no code except tests.
package release
