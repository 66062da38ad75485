package client

import "litfass/pkg/contracts/adminapi"

// Labels reads all labels of the platform.
func (a Admin) Labels() (adminapi.Labels, error) {
	return get[adminapi.Labels](a, at("labels"), nil)
}

// WriteLabel adds or changes a label.
func (a Admin) WriteLabel(key string, names adminapi.LabelNames) error {
	return a.put(at("label", key), names)
}

// DeleteLabel deletes a label and takes it off all events.
func (a Admin) DeleteLabel(key string) Delete { return a.deletion(at("label", key)) }

// LabelEvent replaces the labels of an event.
func (a Admin) LabelEvent(event string, labels adminapi.LabelsPart) error {
	return a.put(at("event", event, "labels"), labels)
}
