// Package tables reads files as rows of cells. The formats are CSV, JSON and Parquet; CSV and JSON
// may be compressed. [CSV], [JSON] and [Parquet] implement [Table]. [List] reads short CSV files
// whose columns have fixed names.
//
// The package also reads numbers and times from the bytes of a cell, exactly where a float could be
// rounded across a limit, and formats cells for error messages.
package tables

// Table reads a file in any format as rows of cells.
type Table interface {
	// Next reads the next row into Current. It returns false at the end, see State. A fault
	// concerns a single row, and the next call continues with the following row.
	Next() (ok bool, f *Fault)
	Current() *Row
	// State returns the number of lines read and the error that ended the reading, which is io.EOF
	// at the end of the file.
	State() (lines int, err error)
}

// Named is a table whose columns have names without a header row. Later rows may have more columns.
type Named interface {
	Table
	// Names returns the names of all columns so far, in the order of the cells.
	Names() []string
}
