// Package joinfile reads and writes files of joins.
//
// A file is CSV or JSON lines, plain or compressed with gzip or zstd, or Parquet: its
// first bytes tell. Every form is a table of cells, which a dayReader makes a
// datasets.Day of:
//
//	csvfile.Reader ┐
//	jsonLines      ├─ rows of cells ─► header, clock, columns ─► datasets.Builder
//	parquetTable   ┘
//
// A first row of CSV that holds the name of a time, a latitude or a longitude is a
// header; without one a row is time,latitude,longitude. Where the formats leave room,
// this package decides:
//
//   - Names of columns are matched in any case, with or without _ and -, and by their
//     usual other names. A column that has our name exactly comes first.
//   - Numbers below 86,400 are seconds since midnight, above 1e9 seconds and above 1e12
//     milliseconds since 1970; anything between is an error.
//   - What is finer than a millisecond is cut off. A time with a date needs its seconds.
//   - A file has times of day alone, or times with a date alone.
//   - A day has 24 hours from the midnight of its time zone, also where clocks change.
//   - If times with a date have no milliseconds but 0 in the whole file, they have none.
//   - Positions are rounded down to 0.01° from their digits, not from a float.
//   - A file with semicolons may have decimal commas, and | between the items of a list.
//   - An empty attribute is a missing value. A column without any value is text.
//   - A column that was not declared has the type of its first value, and another
//     type later is an error: a number or a list in a column of texts, too. Only a
//     list may be of one item. A column of CSV lists that begins with such a one must
//     be declared; an array of JSON and a repeated column of Parquet are lists always.
//   - A text of JSON that looks like a number is one, as in CSV.
//   - Rows of one party_id on one day are one party, which joins when its last member
//     does.
//   - Blank lines are no rows. Blanks around a cell are ignored.
//
// What is wrong with a file is an error that names the place, the value and what
// was expected. Nothing is skipped in silence; nothing becomes 0.
package joinfile
