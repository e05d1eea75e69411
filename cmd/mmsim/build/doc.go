// Package build says which program this is. Version names it in results and for people. Sources is a
// hash of everything that results depend on, by which a command and its workers recognise each other.
package build
