package datasets

// Form tells how a file of joins was read.
type Form struct {
	Format    string       `json:"format"`              // CSV, JSON lines or Parquet
	Separator string       `json:"separator,omitempty"` // of the columns of CSV, in words
	Header    bool         `json:"header"`              // whether the file names its columns
	Columns   []FormColumn `json:"columns"`             // in file order
}

// FormColumn is a column of a file.
type FormColumn struct {
	Name  string `json:"name"`            // in the file
	Taken string `json:"taken_as"`        // mmsim's name of the column
	Place string `json:"place,omitempty"` // the part of a place that the column has for rows without coordinates: country, region or city
}
