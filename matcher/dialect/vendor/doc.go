// Package vendor is the contract between the dialects and their users: the result of
// compiling a vendor's rules, in vendor-neutral terms.
//
// Each folder beside this one reads the files of one vendor and exports a [Dialect]; package
// dialect lists them. Users ask compiled [Rules] for their capabilities (whether they form
// matches or place players, pick the region, accept backfills) and never depend on the
// vendor's name, which is for output only.
package vendor
