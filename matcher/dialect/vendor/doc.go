// Package vendor defines the interface between the dialects and the rest of the program. It
// describes how a vendor's rules are recognised and compiled, what compiled rules need, and what
// they can do, in the same terms for all vendors.
//
// Each folder beside this one reads the files of one vendor and exports a [Dialect]. Package
// dialect lists them. The rest of the program asks [CompiledRules] for their capabilities: for
// example, whether they form matches or place players, or whether they choose the region. It uses
// the name of a vendor only in output.
package vendor
