package actions

import "testing"

// go-app draws one field over the other when an effect is turned on or off, and keeps a handler of the same
// code and identity.
func TestFieldsOfOwnFilesDiffer(t *testing.T) {
	r := new(Rule)
	_, picture := r.own(PictureMedium)
	_, sound := r.own(SoundMedium)
	if picture == sound {
		t.Errorf("the fields for pictures and for sounds have the identity %v: a sound would be taken for a picture", sound)
	}
}
