// Package vendor defines the interface between the dialects and the rest of the program: how a
// vendor's rules are recognised and compiled, and what compiled rules need and can do, in the
// same terms for all vendors.
//
// Each folder beside this one reads the files of one vendor and exports a [Dialect]; package
// dialect lists them. The rest of the program asks compiled [Rules] for their capabilities, such
// as whether they form matches or place players, or pick the region. It never depends on the
// name of a vendor, which is for output only.
package vendor
