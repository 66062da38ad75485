package valueset_test

import (
	"maps"
	"strconv"
	"testing"

	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/catalogue/valueset"
)

// RULES.md, Flags.
var accessibilityBits = map[int]string{
	0:  "Wheelchair accessible",
	1:  "Accessible parking",
	2:  "Elevator available",
	3:  "Ramp available",
	4:  "Step-free access",
	5:  "Accessible restroom",
	6:  "Reserved seating",
	7:  "Service animals allowed",
	14: "Sign language interpretation",
	15: "Captioning available",
	16: "Hearing loop",
	17: "Assistive listening devices",
	24: "Audio description",
	25: "Braille materials",
	26: "High contrast signage",
	27: "Tactile guides",
	34: "Easy read materials",
	35: "Quiet space",
	36: "Clear signage",
	37: "Trained staff",
	38: "Low light environment",
	44: "Accessible website",
	45: "Screen reader support",
	46: "Keyboard navigation",
	47: "Voice command support",
}

// RULES.md, Flags.
var visitorBits = map[int]string{
	0:  "Family Friendly",
	1:  "Child Suitable",
	2:  "Youth/Adult Suitable",
	3:  "Queer Friendly",
	4:  "Senior Friendly",
	5:  "Pet Friendly",
	7:  "Outdoor",
	8:  "Indoor",
	10: "Weather Alternative",
	11: "Nature Location",
	12: "Seating Available",
	13: "Shade Available",
	14: "Online Only Event",
	15: "Free Water",
	16: "Food Stalls",
	17: "Vegetarian Options",
	18: "Vegan Options",
	19: "Picnic Allowed",
	20: "Alcohol Free",
	21: "Free Seating",
	22: "Shuttle Service",
	23: "USB Charging",
	24: "Power Sockets Available",
	25: "Photography Allowed",
	26: "Streaming Available",
	27: "Quiet Room",
	28: "Awareness Team Present",
	29: "Free Wifi",
	30: "Wifi with Login",
	31: "Mobile Network Available",
	32: "Event App Available",
	33: "Digital Info Screens",
	34: "Digital Program Guide",
	35: "Security Staff On Site",
	36: "Bag Checks",
	37: "Access Control",
	38: "First Aid Available",
	39: "Police Presence",
	40: "Fire Safety Measures",
	41: "Surveillance Cameras",
	42: "Access Wristbands",
}

func TestFlagsAreThoseOfTheInterface(t *testing.T) {
	for name, want := range map[string]map[int]string{
		change.LookupAccessibilityFlags: accessibilityBits,
		change.LookupVisitorInfoFlags:   visitorBits,
	} {
		got := map[int]string{}
		for _, set := range valueset.All() {
			if set.Name != name {
				continue
			}
			for _, item := range set.Items {
				bit, err := strconv.Atoi(item.ID)
				if err != nil {
					t.Fatal(err)
				}
				got[bit] = item.Names["en"]
			}
		}
		if maps.Equal(got, want) {
			continue
		}
		for bit := range 64 {
			if got[bit] != want[bit] {
				t.Errorf("%s: bit %d is %q, want %q", name, bit, got[bit], want[bit])
			}
		}
	}
}
