// Package population gives players their attributes and friends: from the columns of the
// data, or drawn at random for each player.
package population
