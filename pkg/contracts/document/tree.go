package document

// A set of ranges of numbers is an attribute of the nodes of a binary tree whose leaves are the
// numbers: each range is the few nodes that together have its leaves and no others. A number is in
// one of the ranges if any node on its path to the root is in the set, so that one IN finds it. The
// root is node 1, and the leaf of a number is the number plus the count of leaves, a power of two.

// cover returns the nodes of a range, both ends included.
func cover(leaves, first, last int) (nodes []int) {
	for low, high := first+leaves, last+1+leaves; low < high; low, high = low/2, high/2 {
		if low%2 == 1 {
			nodes = append(nodes, low)
			low++
		}
		if high%2 == 1 {
			high--
			nodes = append(nodes, high)
		}
	}
	return nodes
}

// path returns the nodes from a number's leaf to the root.
func path(leaves, number int) (nodes []int) {
	for node := number + leaves; node > 0; node /= 2 {
		nodes = append(nodes, node)
	}
	return nodes
}
