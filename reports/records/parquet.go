package records

import (
	"io"
	"math"

	"github.com/parquet-go/parquet-go"

	"mmsim/sim"
)

// parquetRecords writes records as Parquet with snappy compression. It buffers one group of rows,
// which bounds its memory.
type parquetRecords struct {
	columns []recordColumn
	present []int // definition level of a present value, by column: 1 if values may be missing
	writer  *parquet.GenericWriter[any]
	words   [][]parquet.Value // values of every column of kind recordWord
	rows    []parquet.Row     // rows[:filled] are not yet passed to writer; the others are reused
	filled  int
	text    []byte // texts of the attribute values in rows
}

const (
	parquetGroup = 1 << 17 // rows in a group
	parquetBatch = 256     // rows passed to the library at once
)

func newParquetRecords(w io.Writer, columns []recordColumn) *parquetRecords {
	r := &parquetRecords{
		columns: columns,
		words:   make([][]parquet.Value, len(columns)),
		rows:    make([]parquet.Row, parquetBatch),
		writer: parquet.NewGenericWriter[any](w, parquet.NewSchema("record", recordSchema(columns)),
			parquet.Compression(&parquet.Snappy), parquet.MaxRowsPerRowGroup(parquetGroup)),
	}
	for i := range columns {
		present := int(flagValue(columns[i].optional()))
		r.present = append(r.present, present)
		for _, word := range columns[i].words {
			r.words[i] = append(r.words[i], textValue(word, present, i))
		}
	}
	for i := range r.rows {
		r.rows[i] = make(parquet.Row, len(columns))
	}
	return r
}

func (r *parquetRecords) write(row *recordRow) error {
	values := r.rows[r.filled]
	for i := range r.columns {
		c, present := &r.columns[i], r.present[i]
		if c.missing(row) {
			values[i] = parquet.NullValue().Level(0, 0, i)
			continue
		}
		switch c.kind {
		case recordWhole:
			values[i] = parquet.Int64Value(c.value(row)).Level(0, present, i)
		case recordFlag:
			values[i] = parquet.BooleanValue(c.value(row) != 0).Level(0, present, i)
		case recordHundredths:
			values[i] = parquet.DoubleValue(float64(c.value(row))/100).Level(0, present, i)
		case recordThousandths:
			values[i] = parquet.DoubleValue(float64(c.value(row))/1000).Level(0, present, i)
		case recordNumber:
			values[i] = parquet.DoubleValue(c.number(row)).Level(0, present, i)
		case recordWord:
			values[i] = r.words[i][c.value(row)]
		case recordAttribute:
			values[i] = r.attribute(i, row.player)
		}
	}
	if r.filled++; r.filled == len(r.rows) {
		return r.flush()
	}
	return nil
}

// attribute returns the value of a player's attribute, or null if it is missing.
func (r *parquetRecords) attribute(column int, p *sim.Player) parquet.Value {
	a := r.columns[column].attribute
	if a.Number != nil {
		if x := a.Number(p); !math.IsNaN(x) {
			return parquet.DoubleValue(x).Level(0, 1, column)
		}
		return parquet.NullValue().Level(0, 0, column)
	}
	from := len(r.text)
	r.text = a.Append(r.text, p)
	return textValue(r.text[from:], 1, column)
}

// textValue returns text as a Parquet value, or null if the text is empty.
func textValue(text []byte, present, column int) parquet.Value {
	if len(text) == 0 {
		return parquet.NullValue().Level(0, 0, column)
	}
	return parquet.ByteArrayValue(text).Level(0, present, column)
}

func (r *parquetRecords) flush() error {
	_, err := r.writer.WriteRows(r.rows[:r.filled])
	r.filled, r.text = 0, r.text[:0]
	return err
}

func (r *parquetRecords) close() error {
	if err := r.flush(); err != nil {
		return err
	}
	return r.writer.Close()
}

// recordSchema returns a Parquet group whose fields are in the order of columns. The library's
// own group sorts them by name.
func recordSchema(columns []recordColumn) parquet.Node {
	group := make(parquet.Group, len(columns))
	for i := range columns {
		group[columns[i].name] = parquetNode(&columns[i])
	}
	ordered := orderedGroup{Group: group, fields: make([]parquet.Field, len(columns))}
	for _, field := range group.Fields() {
		for i := range columns {
			if columns[i].name == field.Name() {
				ordered.fields[i] = field
			}
		}
	}
	return ordered
}

type orderedGroup struct {
	parquet.Group
	fields []parquet.Field
}

func (g orderedGroup) Fields() []parquet.Field { return g.fields }

// parquetNode returns the Parquet type of a column. A text column has few distinct texts, so it
// uses a dictionary: each text is written once per row group, and rows refer to it by number.
func parquetNode(c *recordColumn) parquet.Node {
	node := parquet.Leaf(parquet.DoubleType)
	switch {
	case c.kind == recordWhole:
		node = parquet.Int(64)
	case c.kind == recordFlag:
		node = parquet.Leaf(parquet.BooleanType)
	case c.kind == recordWord, c.kind == recordAttribute && c.attribute.Number == nil:
		node = parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
	}
	if c.optional() {
		return parquet.Optional(node)
	}
	return node
}
