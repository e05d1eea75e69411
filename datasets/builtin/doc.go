// Package builtin generates a day of joins without input data. Cities get joins in proportion to
// their people online, at hours that suit the city's local time.
package builtin
