package lists

import (
	"cmp"
	"slices"

	"litfass/pkg/contracts/publicapi"
)

// Flags returns the bits of a mask with their names in lang, ordered by topic, then bit. flags and
// topics are names of sets.
func (s ValueSets) Flags(flags, topics, lang string) []publicapi.Flag {
	names := map[string]string{}
	for _, topic := range s[topics].Items {
		names[topic.ID] = nameIn(topic, lang)
	}
	list := []publicapi.Flag{}
	for _, flag := range s[flags].Items {
		list = append(list, publicapi.Flag{
			ID: flag.ID, Name: nameIn(flag, lang), Key: flag.Extra["key"], TopicID: flag.Group, TopicName: names[flag.Group],
		})
	}
	slices.SortStableFunc(list, func(a, b publicapi.Flag) int {
		return cmp.Or(cmp.Compare(number(a.TopicID), number(b.TopicID)), cmp.Compare(number(a.ID), number(b.ID)))
	})
	return list
}
