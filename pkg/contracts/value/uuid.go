package value

import "github.com/google/uuid"

// UUIDv7 reads a UUIDv7 in its usual form of 36 characters, in any case, and returns it in lower
// case. Every id in Litfass that is a uuid is one (RULES.md, Ids and names); ok is false for
// another version, another variant and another form, such as one in braces.
func UUIDv7(text string) (lower string, ok bool) {
	if len(text) != len(uuid.Nil.String()) {
		return "", false
	}
	id, err := uuid.Parse(text)
	if err != nil || id.Version() != 7 || id.Variant() != uuid.RFC4122 {
		return "", false
	}
	return id.String(), true
}
