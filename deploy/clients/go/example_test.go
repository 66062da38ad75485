package litfass_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	litfass "litfass/deploy/clients/go"
)

// town is a service with one date, which leaves.
func town() *httptest.Server {
	date := `{"uuid": "0192f0a0-0000-7000-8000-000000000001", "date_uuid": "0192f0a0-0000-7000-8000-000000000002",
		"title": "Jazz", "start_date": "2027-03-05", "start_time": "20:00"}`
	mux := http.NewServeMux()
	mux.HandleFunc("/api/events", ok(`{"events": [`+date+`]}`))
	mux.HandleFunc("/api/changes", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Has("after") {
			ok(`{"changes": [{"change": "left", "uuid": "0192f0a0-0000-7000-8000-000000000002", "entry": null}], "position": "c0ffee00-8"}`)(w, r)
			return
		}
		begin("c0ffee00-7")(w, r)
	})
	return httptest.NewServer(mux)
}

func ExampleClient_Dates() {
	server := town()
	defer server.Close()
	client := litfass.New(server.URL)
	for date, err := range client.Dates(context.Background(), litfass.Search{Filter: litfass.Filter{City: "Kiel", Start: "today"}}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(date.StartDate, date.StartTime, date.Title)
	}
	// Output: 2027-03-05 20:00 Jazz
}

func ExampleClient_Refresh() {
	server := town()
	defer server.Close()
	client, store := litfass.New(server.URL), &litfass.Memory{}
	if err := client.Refresh(context.Background(), litfass.ChangesQuery{Filter: litfass.Filter{City: "Kiel"}}, store); err != nil {
		fmt.Println(err)
		return
	}
	position, _ := store.Position(context.Background())
	fmt.Println(len(store.Entries()), "dates at", position)
	// Output: 0 dates at c0ffee00-8
}
