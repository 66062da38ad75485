package encoded

import "hash/crc32"

// checksum is the CRC-32 of a text with the factor to compute that of a text with a prefix: a CRC
// is the remainder of a polynomial over GF(2), so a prefix counts as its own remainder times x to
// the power of the bits after it.
type checksum struct{ sum, shift uint32 }

func checksumOf(text []byte) checksum {
	return checksum{sum: crc32.ChecksumIEEE(text), shift: power(len(text))}
}

// after returns the CRC-32 of start and the text together.
func (c checksum) after(start []byte) uint32 {
	return times(crc32.ChecksumIEEE(start), c.shift) ^ c.sum
}

// Polynomials are written as crc32.IEEE is: the highest bit is the coefficient of 1.
const (
	one     = 1 << 31
	xToThe8 = one >> 8
)

// power returns x to the power of the bits in this many bytes.
func power(bytes int) uint32 {
	result, square := uint32(one), uint32(xToThe8)
	for ; bytes > 0; bytes >>= 1 {
		if bytes&1 == 1 {
			result = times(result, square)
		}
		square = times(square, square)
	}
	return result
}

// times returns the remainder of a product.
func times(a, b uint32) (product uint32) {
	for ; a != 0; a <<= 1 {
		if a&one != 0 {
			product ^= b
		}
		carry := b & 1
		b >>= 1
		if carry != 0 {
			b ^= crc32.IEEE
		}
	}
	return product
}
