// Package population provides the attributes and friends of players. They come from columns of the
// data or are drawn at random for each player.
package population
