package text

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// ofApproval are the keys of messages about the approval of organizations, which is another thing.
var ofApproval = regexp.MustCompile(`approv|moderation\.mail\.refused`)

// TestPublishingHasOneWord: what the API calls a release is publishing to people.
func TestPublishingHasOneWord(t *testing.T) {
	for code, others := range map[string]string{
		"en": `(?i)\breleas`, "de": `(?i)freigeb|freigegeben|freigaberecht|um Veröffentlichung bitten`,
		"da": `(?i)frigiv|offentliggør|publicer`,
	} {
		files, err := filepath.Glob("messages/*." + code + ".json")
		if err != nil || len(files) == 0 {
			t.Fatalf("%d files: %v", len(files), err)
		}
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var messages map[string]any
			if err := json.Unmarshal(content, &messages); err != nil {
				t.Fatal(err)
			}
			for key, message := range messages {
				if words := fmt.Sprint(message); !ofApproval.MatchString(key) && regexp.MustCompile(others).MatchString(words) {
					t.Errorf("%s says %q", key, words)
				}
			}
		}
	}
}
