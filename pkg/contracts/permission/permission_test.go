package permission

import "testing"

func TestSetsAreWhatTheDatabaseAllows(t *testing.T) {
	const owner, mask = 520556415, 1057427327 // of the roles, and the domain permission_mask
	if All != owner || Every != mask {
		t.Fatalf("All is %d, Every is %d", All, Every)
	}
}

func TestEditEventIncludesSetAvailability(t *testing.T) {
	if !EditEvent.Has(SetAvailability) || !All.Has(Every) || SetAvailability.Has(EditEvent) || AddEvent.Has(SetAvailability) {
		t.Error("who edits events sets availabilities, and no other does")
	}
	if RoleOf(All|SetAvailability) != Owner || RoleOf(SetAvailability) != Custom || (EditEvent|SetAvailability).Plain() != EditEvent {
		t.Error("the included permission changes a role")
	}
	if got := All.In(SetAvailability); got != SetAvailability {
		t.Errorf("a key of an owner for the box office may do %d", got)
	}
	if got := SetAvailability.In(All); got != SetAvailability {
		t.Errorf("a member with this permission and a key for all may do %d", got)
	}
	if got := (EditEvent | AddVenue).In(All); got != EditEvent|AddVenue {
		t.Errorf("a key for all limits its member to %d", got)
	}
}

func TestEachPresetContainsTheNext(t *testing.T) {
	for i, preset := range Presets {
		if got := RoleOf(preset.Set); got != preset.Role {
			t.Errorf("RoleOf(%s) = %s", preset.Role, got)
		}
		if i > 0 && (!Presets[i-1].Set.Has(preset.Set) || Presets[i-1].Set == preset.Set) {
			t.Errorf("%s does not contain %s", Presets[i-1].Role, preset.Role)
		}
	}
	if set, _ := Of(Contributor); set.Has(ReleaseEvent) || !set.Has(AddEvent|EditEvent) {
		t.Error("a contributor writes drafts and does not release")
	}
	if RoleOf(EditVenue) != Custom || RoleOf(0) != Custom {
		t.Error("a set that is no preset is custom")
	}
}

func TestMayChange(t *testing.T) {
	tests := []struct {
		name          string
		actor         Set
		before, after Set
		want          bool
	}{
		{"grants a bit of their own", manager, viewer, editor, true},
		{"grants a bit that they lack", manager, viewer, All, false},
		{"takes from a stronger member", manager, All, viewer, false},
		{"owner demotes owner", All, All, viewer, true},
		{"without permissions", 0, viewer, contributor, false},
	}
	for _, test := range tests {
		if got := test.actor.MayChange(test.before, test.after); got != test.want {
			t.Errorf("%s: got %t", test.name, got)
		}
	}
}
