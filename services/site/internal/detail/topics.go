package detail

import (
	"slices"
	"strconv"

	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
)

// Topic is a topic with the names of the flags that a mask has of it.
type Topic struct {
	Icon  string
	Name  string
	Flags []string
}

// topics returns the names of the flags of a mask by topic. Bits without a name are left out.
func topics(flags []publicapi.Flag, mask *value.Mask, icons map[string]string) []Topic {
	if mask == nil {
		return nil
	}
	set := mask.Bits()
	var topics []Topic
	last := ""
	for _, flag := range flags { // which are ordered by topic
		if bit, err := strconv.Atoi(flag.ID); err != nil || !slices.Contains(set, bit) {
			continue
		}
		if len(topics) == 0 || flag.TopicID != last {
			topics, last = append(topics, Topic{Icon: iconOf(icons, flag.TopicID), Name: flag.TopicName}), flag.TopicID
		}
		of := &topics[len(topics)-1]
		of.Flags = append(of.Flags, flag.Name)
	}
	return topics
}

// AccessibilityTopics returns the names of accessibility flags, by topic.
func (n Names) AccessibilityTopics(mask *value.Mask) []Topic {
	return topics(n.Accessibility, mask, accessibilityIcons)
}

// VisitorInfoTopics returns the names of flags for visitors, by topic.
func (n Names) VisitorInfoTopics(mask *value.Mask) []Topic {
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
