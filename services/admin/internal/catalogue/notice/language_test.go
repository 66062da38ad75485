package notice

import (
	"testing"

	"litfass/pkg/contracts/language"
	"litfass/pkg/contracts/report"
)

// TestNoticesInEveryLanguage: every subject and every reason of a report has a text in each
// language.
func TestNoticesInEveryLanguage(t *testing.T) {
	t.Parallel()
	for _, code := range language.Codes {
		for template, texts := range subjects {
			if texts[code] == "" {
				t.Errorf("the subject of %s has no text in %s", template, code)
			}
		}
		for _, reason := range report.Reasons {
			if reasons[reason][code] == "" {
				t.Errorf("the reason %s has no text in %s", reason, code)
			}
		}
	}
}
