// Package documents has tests only. They run the commands in README.md, on the pages of the gallery,
// in the help and in the action for GitHub, and compare what they print with what is shown.
package documents
