package adminapi

import "slices"

// typesOfCategory are the event types that usually belong to a category, by the ids of the value
// sets: culture, education, sport, leisure, family, society.
var typesOfCategory = map[int][]int{
	1: {1, 2, 4, 5, 6, 8, 9, 10, 11, 16, 17, 18, 26, 28, 38, 41},
	2: {12, 14, 15, 20, 22, 32, 34, 39, 52, 54, 61},
	3: {7, 51},
	4: {3, 13, 19, 23, 25, 27, 29, 36, 40, 42, 45, 48, 53, 55, 56, 60, 62, 63},
	5: {5, 26, 43, 44, 58},
	6: {21, 24, 30, 31, 33, 35, 37, 46, 47, 49, 50, 57, 59},
}

// CategoriesOf returns the categories that events of a type usually have, in the order of their
// ids; nil for an unknown type. Forms and imports propose them.
func CategoriesOf(eventType int) (categories []int) {
	for category, types := range typesOfCategory {
		if slices.Contains(types, eventType) {
			categories = append(categories, category)
		}
	}
	slices.Sort(categories)
	return categories
}
