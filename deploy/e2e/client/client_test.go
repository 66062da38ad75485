package client

import (
	"encoding/json"
	"testing"

	"litfass/deploy/e2e/reference"
)

var parameters = reference.Parameters{
	"categories": "1,2", "tags": "a b,ü", "limit": "5", "lat": "1.50", "ongoing": "true", "age": "1,2", "title": "", "genres": "",
}

func TestEncode(t *testing.T) {
	for repeat, want := range map[bool]string{
		false: "age=1%2C2&categories=1%2C2&genres=&lat=1.50&limit=5&ongoing=true&tags=a+b%2C%C3%BC&title=",
		true:  "age=1%2C2&categories=1&categories=2&genres=&lat=1.50&limit=5&ongoing=true&tags=a+b&tags=%C3%BC&title=",
	} {
		if got := Encode(parameters, repeat); got != want {
			t.Errorf("repeat %t: %s, want %s", repeat, got, want)
		}
	}
}

func TestBody(t *testing.T) {
	const want = `{"age":"1,2","categories":[1,2],"genres":"","lat":1.50,"limit":5,"ongoing":true,"tags":["a b","ü"],"title":""}`
	got, err := json.Marshal(Body(parameters))
	if err != nil || string(got) != want {
		t.Errorf("body is %s, %v, want %s", got, err, want)
	}
}

func TestData(t *testing.T) {
	good := `{"service":"litfass","api_version":"1.0","response_type":"get-events","status":200,"timestamp":"2026-01-02T03:04:05Z","data":{"events":[{"uuid":"x"}]}}`
	page, err := Data[Page](Answer{Status: 200, Body: []byte(good)}, "get-events")
	if err != nil || len(page.Events) != 1 || page.Events[0].Text("uuid") != "x" {
		t.Errorf("page is %v, %v", page, err)
	}
	for _, bad := range []Answer{
		{Status: 500, Body: []byte(good)},
		{Status: 200, Body: []byte(`{}`)},
		{Status: 200, Body: []byte(`<html>`)},
	} {
		if _, err := Data[Page](bad, "get-events"); err == nil {
			t.Errorf("%d %s is taken for an answer", bad.Status, bad.Body)
		}
	}
	if _, err := Data[Page](Answer{Status: 200, Body: []byte(good)}, "get-venues"); err == nil {
		t.Error("another response_type is taken for an answer")
	}
}
