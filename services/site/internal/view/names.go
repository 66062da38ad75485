package view

import (
	"slices"
	"strconv"

	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
)

// Names are the words for what an entity holds as codes, in the language of the page. Those that a
// page does not need are empty.
type Names struct {
	Accessibility []publicapi.Flag
	VisitorInfo   []publicapi.Flag
	Languages     map[string]string
	Licenses      map[string]string
	LegalForms    map[string]string
	LinkTypes     map[string]string
	Occasions     map[string]string
	SpaceTypes    map[string]string
}

// Topic is some flags of a mask about the same thing, by their names.
type Topic struct {
	Icon  string
	Name  string
	Flags []string
}

// topics returns the flags that a mask holds, by topic. Bits without a name are left out.
func topics(flags []publicapi.Flag, mask *value.Mask, icons map[string]string) []Topic {
	if mask == nil {
		return nil
	}
	set := mask.Bits()
	var found []Topic
	last := ""
	for _, flag := range flags { // which are ordered by topic
		if bit, err := strconv.Atoi(flag.ID); err != nil || !slices.Contains(set, bit) {
			continue
		}
		if len(found) == 0 || flag.TopicID != last {
			found, last = append(found, Topic{Icon: iconOf(icons, flag.TopicID), Name: flag.TopicName}), flag.TopicID
		}
		of := &found[len(found)-1]
		of.Flags = append(of.Flags, flag.Name)
	}
	return found
}

func (n Names) accessibility(mask *value.Mask) []Topic {
	return topics(n.Accessibility, mask, accessibilityIcons)
}

func (n Names) visitorInfo(mask *value.Mask) []Topic {
	return topics(n.VisitorInfo, mask, visitorInfoIcons)
}

// The icons of the topics, by their ids.
var (
	accessibilityIcons = map[string]string{"1": "access", "2": "paw", "3": "ear", "4": "eye", "5": "mind", "6": "screen"}
	visitorInfoIcons   = map[string]string{"1": "person", "2": "sun", "3": "cup", "4": "screen", "5": "shield"}
)

func iconOf(icons map[string]string, topic string) string {
	if icon, known := icons[topic]; known {
		return icon
	}
	return "check"
}

// nameOf returns the name of a code, the code itself when it has none.
func nameOf(names map[string]string, code string) string {
	if name := names[code]; name != "" {
		return name
	}
	return code
}
