// Package faults has tests only. They interrupt and kill commands of mmsim, fill their disk, take
// their workers away and give them hostile input, and check what is left.
package faults
