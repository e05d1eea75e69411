// Package joinfile reads and writes files of joins.
//
// A file is CSV or JSON lines, plain or compressed with gzip or zstd, or Parquet; the first
// bytes decide. Every form is read as a table of cells, from which a dayReader builds a
// datasets.Day:
//
//	csvfile.Reader ┐
//	jsonLines      ├─ rows of cells ─► header, clock, columns ─► datasets.Builder
//	parquetTable   ┘
//
// A first row of CSV with the name of a time, a latitude or a longitude is a header; without
// a header a row is time,latitude,longitude. Where the formats are ambiguous, these rules
// decide:
//
//   - Column names match in any case, with or without _ and -, and by their usual
//     synonyms. A column with exactly mmsim's name takes precedence.
//   - Numbers below 86,400 are seconds since midnight; numbers above 1e9 are seconds, and
//     above 1e12 milliseconds, since 1970. Numbers in between are an error.
//   - Times are cut off to milliseconds. A time with a date needs its seconds.
//   - A file has only times of day or only times with a date.
//   - A day is 24 hours from the midnight of its time zone, even if clocks change.
//   - If all times with a date have 0 milliseconds, they count as times in whole seconds.
//   - Positions are rounded down to 0.01° from their digits, not from a float.
//   - A file with semicolons may have decimal commas, and | between the items of a list.
//   - An empty attribute is a missing value. A column without any value is text.
//   - A column that was not declared has the type of its first value; another type later
//     is an error, even a number or a list in a column of texts. Only a list may have a
//     single item. A column of CSV lists that begins with a single item must be declared;
//     a JSON array and a repeated column of Parquet are always lists.
//   - A JSON text that looks like a number is a number, as in CSV.
//   - Rows with the same party_id on the same day are one party, which joins with its last
//     member.
//   - Blank lines are not rows. Blanks around a cell are ignored.
//
// A fault of a file is an error with the position, the value and what was expected. Nothing
// is skipped silently, and nothing silently becomes 0.
package joinfile
