package lists

import (
	"cmp"
	"slices"
)

// Flag is one bit of a mask with its topic.
type Flag struct {
	ID        string `json:"id"` // the position of the bit
	Name      string `json:"name"`
	Key       string `json:"key"`
	TopicID   string `json:"topic_id"`
	TopicName string `json:"topic_name"`
}

// Flags returns the bits of a mask with their names in lang, ordered by topic, then bit. flags and
// topics are names of sets.
func (s ValueSets) Flags(flags, topics, lang string) []Flag {
	names := map[string]string{}
	for _, topic := range s[topics].Items {
		names[topic.ID] = nameIn(topic, lang)
	}
	shown := []Flag{}
	for _, flag := range s[flags].Items {
		shown = append(shown, Flag{
			ID: flag.ID, Name: nameIn(flag, lang), Key: flag.Extra["key"], TopicID: flag.Group, TopicName: names[flag.Group],
		})
	}
	slices.SortStableFunc(shown, func(a, b Flag) int {
		return cmp.Or(cmp.Compare(number(a.TopicID), number(b.TopicID)), cmp.Compare(number(a.ID), number(b.ID)))
	})
	return shown
}
