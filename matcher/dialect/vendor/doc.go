// Package vendor is the contract between the dialects and their users: what one
// vendor's rules compile to, in terms that no vendor owns.
//
// A folder beside this one reads the files of one vendor and exports a [Dialect].
// Package dialect lists them. Users ask compiled [Rules] for what they need (do they
// form matches or place players, do they pick the region, do matches take backfills)
// and never for the vendor's name, which serves output only.
package vendor
