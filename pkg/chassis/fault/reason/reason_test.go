package reason_test

import (
	"encoding/json"
	"regexp"
	"testing"

	"litfass/pkg/chassis/fault/reason"
)

// TestReasons: the sentence, the code and the parameters of a reason come from its row.
func TestReasons(t *testing.T) {
	for _, c := range []struct {
		given                  *reason.Reason
		code, sentence, params string
	}{
		{reason.Required, "required", "is missing", `{}`},
		{reason.TooLong(200), "too_long", "has more than 200 characters", `{"max":200}`},
		{reason.NotBetween(0, 99_999_999.999), "not_between", "is not between 0 and 99999999.999", `{"max":99999999.999,"min":0}`},
		{reason.NotOneOf([]string{"a", "b"}), "not_one_of", "must be one of a, b", `{"allowed":["a","b"]}`},
		{reason.NotInSet("event-types"), "not_in_set", "is not one of the event types", `{"set":"event-types"}`},
		{reason.Duplicate(reason.WordImage), "duplicate", "is that of another image of the event", `{"kind":"image"}`},
		{reason.ControlCharacter(7), "control_character", "holds the control character U+0007", `{"character":"U+0007"}`},
		{reason.ItemNotUUID(`a"b`), "item_not_uuid", `has the value "a\"b", which is not a UUIDv7`, `{"value":"a\"b"}`},
		{
			reason.RulePartInvalid("COUNT", "1..9"), "rule_part_invalid", "has a COUNT that is not valid; it takes 1..9",
			`{"expected":"1..9","part":"COUNT"}`,
		},
		{reason.UnknownColumn("{column}"), "unknown_column", "names a column that the file does not have: {column}", `{"column":"{column}"}`},
	} {
		params, err := json.Marshal(c.given.Params)
		if c.given.Code != c.code || c.given.String() != c.sentence || string(params) != c.params || err != nil {
			t.Errorf("got %s, %q, %s, %v; want %s, %q, %s", c.given.Code, c.given, params, err, c.code, c.sentence, c.params)
		}
	}
}

var stable = regexp.MustCompile(`^[a-z]+(_[a-z0-9]+)*$`)

func TestCodes(t *testing.T) {
	for _, d := range reason.All() {
		if !stable.MatchString(d.Code) || d.Sentence == "" {
			t.Errorf("%+v", d)
		}
		for _, param := range d.Params {
			if param.Type == "" {
				t.Errorf("%s: %s has no type", d.Code, param.Name)
			}
		}
	}
}
