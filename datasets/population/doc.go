// Package population says what is known about players beside when and where they
// join: the columns of the data, and attributes and friends that are drawn for each.
package population
