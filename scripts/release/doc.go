// Package release holds the script that builds a release, and tests it together with
// the workflows of GitHub and the action that installs a release. It has no code of its own.
package release
