package stream

import "context"

// VoidJournal records that the changes of an entry were not published as it has them.
func (s *Stream) VoidJournal(ctx context.Context, entry JournalEntry) { s.voidJournal(ctx, entry) }
