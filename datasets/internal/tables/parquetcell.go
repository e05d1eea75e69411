package tables

import (
	"math"
	"math/big"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

// A cellWriter appends a value as it would be written in CSV. The value must not be null. If it is
// NaN, nothing is appended.
type cellWriter func(to []byte, v parquet.Value) []byte

// writerOf returns the cellWriter for a column.
func writerOf(node parquet.Node) cellWriter {
	leaf := node.Type()
	if logical := leaf.LogicalType(); logical != nil {
		switch logical := logical.Value.(type) {
		case *format.TimestampType:
			return timestampWriter(nanosPer(logical.Unit), logical.IsAdjustedToUTC)
		case *format.TimeType:
			return timeWriter(nanosPer(logical.Unit))
		case *format.DecimalType:
			return decimalWriter(int(logical.Scale))
		}
	}
	if converted := leaf.ConvertedType(); converted != nil {
		switch *converted {
		case deprecated.TimestampMillis:
			return timestampWriter(1e6, true)
		case deprecated.TimestampMicros:
			return timestampWriter(1e3, true)
		case deprecated.TimeMillis:
			return timeWriter(1e6)
		case deprecated.TimeMicros:
			return timeWriter(1e3)
		}
	}
	return writePlain
}

// nanosPer returns the number of nanoseconds in a unit of time.
func nanosPer(unit format.TimeUnit) int64 {
	switch unit.Value.(type) {
	case *format.MilliSeconds:
		return 1e6
	case *format.MicroSeconds:
		return 1e3
	}
	return 1
}

// timestampWriter returns a cellWriter for timestamps. A timestamp is a number of time units since
// 1970. It is written as a date and a time, with an offset only if the file defines its time zone.
func timestampWriter(unit int64, utc bool) cellWriter {
	layout := "2006-01-02T15:04:05.000"
	if utc {
		layout += "Z"
	}
	return func(to []byte, v parquet.Value) []byte {
		n := whole(v)
		perMS := 1_000_000 / unit
		return time.UnixMilli(floorDiv(n, perMS)).UTC().AppendFormat(to, layout)
	}
}

// timeWriter returns a cellWriter for times of day. A time of day is a number of time units since
// midnight.
func timeWriter(unit int64) cellWriter {
	return func(to []byte, v parquet.Value) []byte {
		ms := floorDiv(whole(v), 1_000_000/unit)
		if ms < 0 || ms >= 86_400_000 {
			return strconv.AppendInt(to, ms, 10) // not a time of day, so reading the cell gives an error
		}
		return time.UnixMilli(ms).UTC().AppendFormat(to, "15:04:05.000")
	}
}

func whole(v parquet.Value) int64 {
	if v.Kind() == parquet.Int32 {
		return int64(v.Int32())
	}
	return v.Int64()
}

// floorDiv divides n by a positive number and rounds down.
func floorDiv(n, by int64) int64 {
	q := n / by
	if n%by < 0 {
		q--
	}
	return q
}

// maxScale is the maximum number of decimals of a decimal number.
const maxScale = 76

// decimalWriter returns a cellWriter for decimal numbers with a fixed number of decimals.
func decimalWriter(scale int) cellWriter {
	return func(to []byte, v parquet.Value) []byte {
		n := new(big.Int)
		switch v.Kind() {
		case parquet.Int32, parquet.Int64:
			n.SetInt64(whole(v))
		default: // two's complement, highest byte first
			bytes := v.ByteArray()
			n.SetBytes(bytes)
			if len(bytes) > 0 && bytes[0]&0x80 != 0 {
				n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(bytes))))
			}
		}
		if scale < 0 || scale > maxScale {
			return append(to, "a decimal number of too large a scale"...)
		}
		if n.Sign() < 0 {
			to = append(to, '-')
			n.Neg(n)
		}
		digits := n.String()
		for len(digits) <= scale {
			digits = "0" + digits
		}
		to = append(to, digits[:len(digits)-scale]...)
		if scale > 0 {
			to = append(append(to, '.'), digits[len(digits)-scale:]...)
		}
		return to
	}
}

// julianEpoch is the Julian day number of 1970-01-01.
const julianEpoch = 2_440_588

// writePlain appends a value of a column without a logical type. A 96-bit value from an old version
// of Spark or Hive is a timestamp, which consists of the nanoseconds within a day and a Julian day
// number.
func writePlain(to []byte, v parquet.Value) []byte {
	switch v.Kind() {
	case parquet.Boolean:
		return strconv.AppendBool(to, v.Boolean())
	case parquet.Int32:
		return strconv.AppendInt(to, int64(v.Int32()), 10)
	case parquet.Int64:
		return strconv.AppendInt(to, v.Int64(), 10)
	case parquet.Int96:
		n := v.Int96()
		nanos := int64(uint64(n[1])<<32 | uint64(n[0]))
		ms := (int64(n[2])-julianEpoch)*86_400_000 + nanos/1_000_000
		return time.UnixMilli(ms).UTC().AppendFormat(to, "2006-01-02T15:04:05.000Z")
	case parquet.Float:
		return writeFloat(to, float64(v.Float()), 32)
	case parquet.Double:
		return writeFloat(to, v.Double(), 64)
	}
	return append(to, v.ByteArray()...)
}

func writeFloat(to []byte, x float64, bits int) []byte {
	if math.IsNaN(x) {
		return to
	}
	return strconv.AppendFloat(to, x, 'f', -1, bits)
}
