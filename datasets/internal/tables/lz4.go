package tables

import (
	"bufio"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

// lz4RatioMax is the maximum ratio of plain to compressed bytes in an LZ4 block.
const lz4RatioMax = 255

// checkLZ4 decompresses all pages of a row group that are compressed with LZ4_RAW, and returns an
// error if one is damaged. The Parquet library takes every error of a block for a buffer that is
// too small, and so doubles the buffer until there is no memory left. Decompressing twice costs
// little, because LZ4 is several times faster than decoding.
func checkLZ4(file *ParquetFile, group *format.RowGroup) error {
	for i := range group.Columns {
		m := &group.Columns[i].MetaData
		if m.Codec != format.Lz4Raw {
			continue
		}
		start := m.DataPageOffset
		if m.DictionaryPageOffset > 0 {
			start = min(start, m.DictionaryPageOffset)
		}
		if start < 0 || m.TotalCompressedSize < 0 || m.TotalCompressedSize > file.size-start {
			return damaged(fmt.Errorf("a column chunk from byte %d of %d bytes", start, m.TotalCompressedSize))
		}
		if err := checkLZ4Pages(bufio.NewReader(io.NewSectionReader(file, start, m.TotalCompressedSize)), m.TotalCompressedSize); err != nil {
			return damaged(err)
		}
	}
	return nil
}

// checkLZ4Pages checks the pages of a column chunk, which has the given number of bytes.
func checkLZ4Pages(chunk *bufio.Reader, bytes int64) error {
	decoder := thrift.NewDecoder(new(thrift.CompactProtocol).NewReader(chunk))
	var compressed, plain []byte
	for {
		if _, err := chunk.Peek(1); err == io.EOF {
			return nil
		}
		var header format.PageHeader
		if err := decoder.Decode(&header); err != nil {
			return err
		}
		size, plainSize := int(header.CompressedPageSize), int(header.UncompressedPageSize)
		if size < 0 || int64(size) > bytes || plainSize < 0 || plainSize > lz4RatioMax*(size+1) {
			return fmt.Errorf("a page of %d bytes from %d compressed ones", plainSize, size)
		}
		compressed = append(compressed[:0], make([]byte, size)...)
		if _, err := io.ReadFull(chunk, compressed); err != nil {
			return err
		}
		levels := 0
		if header.Type == format.DataPageV2 { // levels are before the values, and not compressed
			v2 := &header.DataPageHeaderV2.V
			if v2.IsCompressed.Valid && !v2.IsCompressed.V {
				continue
			}
			if levels = int(v2.DefinitionLevelsByteLength) + int(v2.RepetitionLevelsByteLength); levels < 0 || levels > min(size, plainSize) {
				return fmt.Errorf("levels of %d bytes in a page of %d", levels, size)
			}
		}
		plain = append(plain[:0], make([]byte, plainSize-levels)...)
		if n, err := lz4.UncompressBlock(compressed[levels:], plain); err != nil || n != len(plain) {
			return fmt.Errorf("a page of %d bytes that LZ4 decompresses to %d (%v)", plainSize, n, err)
		}
	}
}
