package publicapi

import (
	"strings"

	"litfass/pkg/contracts/value"
)

// List is a selection of events in the order of its editor, which the parameter list selects by its
// slug.
type List struct {
	UUID        string     `json:"uuid"`
	Slug        string     `json:"slug"`
	OrgUUID     value.Text `json:"org_uuid"` // null: the operator's
	Name        string     `json:"name"`
	Description value.Text `json:"description"`
	// Titles and Descriptions are by language; in others it has its name and its description.
	Titles       map[string]string `json:"titles"`
	Descriptions map[string]string `json:"descriptions"`
}

// ShortList is a list on a page of lists: of each description its beginning.
type ShortList struct {
	List
	EntryCount int `json:"entry_count"`
}

// maxBeginning is the number of characters of a description that a page of lists shows.
const maxBeginning = 300

// Short returns the list as a page of lists shows it.
func (l List) Short(entries int) ShortList {
	descriptions := make(map[string]string, len(l.Descriptions))
	for language, text := range l.Descriptions {
		descriptions[language] = beginning(text)
	}
	l.Description, l.Descriptions = value.Text(beginning(string(l.Description))), descriptions
	return ShortList{List: l, EntryCount: entries}
}

// beginning returns a text up to the end of a word near maxBeginning.
func beginning(text string) string {
	characters := 0
	for at := range text {
		if characters == maxBeginning {
			cut := text[:at]
			if space := strings.LastIndexByte(cut, ' '); space > 0 {
				cut = cut[:space]
			}
			return cut + "…"
		}
		characters++
	}
	return text
}

// PageOfLists is the data and the cursor of GET /api/lists.
type PageOfLists struct {
	Data       []ShortList `json:"data"`
	NextCursor value.Text  `json:"next_cursor"` // null on the last page
}

// ListedEntries is the data of GET /api/list/{slug}: a list with the entries that are public and
// not over, in its order.
type ListedEntries struct {
	List
	Entries []ListEntry `json:"entries"`
}

// ListEntry is an event of a list, or one date of it.
type ListEntry struct {
	EventUUID string     `json:"event_uuid"`
	DateUUID  value.Text `json:"date_uuid"` // null: all dates of the event
	Note      value.Text `json:"note"`      // of the editor
}
