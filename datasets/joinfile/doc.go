// Package joinfile reads files of joins, and other files of rows in the same forms, see [Sheet].
//
// A file is CSV, JSON lines or a JSON array of objects, plain or compressed with gzip or zstd, or
// Parquet. Its first bytes
// determine the format. Every format is read as a tables.Table, from whose rows of cells a dayReader
// builds a datasets.Day:
//
//	tables.CSV     ┐
//	tables.JSON    ├─ rows of cells ─► header, clock, columns ─► datasets.Builder
//	tables.Parquet ┘
//
// The first row of a CSV file is a header if it contains the name of a time, latitude or longitude
// column. Without a header, a row is time,latitude,longitude. The formats leave some questions
// open. These rules apply:
//
//   - Column names are matched in any letter case, with or without _ and -, and by their usual
//     synonyms. A column with exactly mmsim's name takes precedence.
//   - A number below 86,400 is a time in seconds since midnight. A number above 1e9 is in seconds
//     since 1970, above 1e12 in milliseconds, above 1e15 in microseconds, and above 1e18 in
//     nanoseconds since 1970. Numbers in between are errors.
//   - If some numbers have a fraction, and all of them are below 1, or are dates of this century in
//     Excel's count of days and less than 366 apart, they are times of Excel. A time of Excel is
//     rounded to the whole second that its decimals allow, or else to milliseconds.
//   - A date with dots is day.month.year. A date with slashes has the day or the month first. A
//     number above 12 decides it for the whole file. If there is none, it is an error.
//   - Other times are truncated to milliseconds. An ISO date must have a time with seconds.
//   - A file has only times of day or only times with a date.
//   - A day is 24 hours from the midnight of its time zone, even if clocks change.
//   - If all times with a date have 0 milliseconds, they count as times in whole seconds.
//   - Positions are rounded down to 0.01° from their digits, not from a float.
//   - A row without coordinates is placed by its IP address, city, region or country, see package
//     placing. NA is Namibia, not a missing value.
//   - A file with semicolons may have decimal commas, and | between the items of a list.
//   - A first column without a name is left out: pandas writes its index so.
//   - An empty attribute is a missing value, and so is \N in CSV. A column without any value is a text column.
//   - A column that was not declared has the type of its first value. A value of another type is an
//     error, even a number or a list in a column of texts. The exception is a list column, in which
//     a text is a list with a single item. If a column of CSV lists begins with a single item, it
//     must be declared. JSON arrays and repeated Parquet columns are always lists.
//   - A JSON text that looks like a number is a number, as in CSV.
//   - Rows with the same party_id on the same day are one party, which joins with its last member.
//   - Blank lines are not rows. Blanks around a cell are ignored.
//
// If a file is invalid, the error contains the position, the value and what was expected. Nothing
// is skipped silently, and nothing becomes 0 silently.
package joinfile
