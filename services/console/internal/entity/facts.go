package entity

import (
	"strconv"

	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/lookup"
)

// facts is a field for a mask of facts, such as the accessibility of a place. The mask as a whole
// is known or not: of a known one, the facts that are not set do not hold.
type facts struct {
	Name     string // of the mask; also the id of its element
	Label    string
	Hint     string // "" for none
	Flags    []publicapi.Flag
	Mask     *value.Mask // null: nothing is known
	Icons    map[string]string
	Disabled bool
}

// accessibilityIcons are the icons of the topics of accessibility, by their ids.
var accessibilityIcons = map[string]string{"1": "access", "2": "paw", "3": "ear", "4": "eye", "5": "mind", "6": "screen"}

// Values that the field sends next to its bits.
const (
	flagsKnown   = "known"
	flagsUnknown = "unknown"
)

// maskOf reads the mask of a field of facts from a form, as the admin service takes it: nil is
// unknown.
// Facts that are set while nothing was known make the mask known; "unknown" clears a known one.
func maskOf(form map[string][]string, name string) any {
	first := func(key string) string {
		if values := form[key]; len(values) > 0 {
			return values[0]
		}
		return ""
	}
	mask, err := value.ParseMask(first(name + "_rest"))
	if err != nil {
		mask = 0
	}
	for _, bit := range form[name] {
		if n, err := strconv.Atoi(bit); err == nil && n >= 0 && n < 64 {
			mask |= 1 << n
		}
	}
	if first(name+"_state") == flagsKnown || first(name+"_was") != flagsKnown && mask != 0 {
		return mask.String()
	}
	return nil
}

// factTopic is the flags of one topic.
type factTopic struct {
	ID, Name, Icon string
	Flags          []factItem
}

type factItem struct {
	Bit  string
	Name string
	Set  bool
}

// topics returns the flags by topic, in the order of the value set.
func (f facts) topics() []factTopic {
	var topics []factTopic
	for _, flag := range f.Flags {
		if len(topics) == 0 || topics[len(topics)-1].ID != flag.TopicID {
			topics = append(topics, factTopic{ID: flag.TopicID, Name: flag.TopicName, Icon: f.icon(flag.TopicID)})
		}
		of := &topics[len(topics)-1]
		of.Flags = append(of.Flags, factItem{flag.ID, flag.Name, f.set(flag.ID)})
	}
	return topics
}

func (f facts) icon(topic string) string {
	if icon := f.Icons[topic]; icon != "" {
		return icon
	}
	return "check"
}

func (f facts) set(bit string) bool {
	n, err := strconv.Atoi(bit)
	return err == nil && f.Mask != nil && n >= 0 && n < 64 && *f.Mask&(1<<n) != 0
}

// rest returns the bits that are set and have no name: they stay as they are.
func (f facts) rest() string { return lookup.Unnamed(f.Flags, f.Mask).String() }

func (f facts) was() string {
	if f.Mask == nil {
		return flagsUnknown
	}
	return flagsKnown
}

// state returns the message for whether a fact holds.
func (f facts) state(set bool) string {
	switch {
	case f.Mask == nil:
		return "flags.unknown"
	case set:
		return "flags.yes"
	default:
		return "flags.no"
	}
}
