package postgres_test

import (
	"testing"

	"litfass/pkg/contracts/language"
	"litfass/services/admin/internal/catalogue/store/storetest"
)

// TestEveryLanguageIsStored: the domain user_language allows each language of the list.
func TestEveryLanguageIsStored(t *testing.T) {
	db, _ := storetest.New(t)
	for _, code := range language.Codes {
		var stored string
		if err := db.QueryRow(t.Context(), `SELECT $1::user_language`, code).Scan(&stored); err != nil || stored != code {
			t.Errorf("%s is stored as %q, %v", code, stored, err)
		}
	}
}
