package client

import (
	"net/http"
	"strconv"
)

// PositionHeader names the position of a write, and the one up to which an answer is complete.
const PositionHeader = "Litfass-Position"

// AtPosition returns the header of a read whose answer must be complete up to a position.
func AtPosition(position uint64) http.Header {
	return http.Header{PositionHeader: {strconv.FormatUint(position, 10)}}
}

// Position returns the position that an answer names; 0 for none.
func Position(header http.Header) uint64 {
	position, err := strconv.ParseUint(header.Get(PositionHeader), 10, 64)
	if err != nil {
		return 0
	}
	return position
}
