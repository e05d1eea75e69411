package jsontree

import "testing"

// Identity prefers a member called name. Otherwise it returns the first member whose text differs
// in all elements.
func TestIdentity(t *testing.T) {
	for text, want := range map[string]string{
		`[{"kind": "a", "Name": "x"}]`:                         "Name",
		`[{"kind": "a", "id": "x"}, {"kind": "a", "id": "y"}]`: "id",
		`[{"name": "x", "id": "x"}, {"name": "x", "id": "y"}]`: "id",
		`[{"name": 1, "id": "x"}, {"name": 2, "id": "y"}]`:     "id",
		`[{"name": "x"}, {"id": "y"}]`:                         "",
		`[{"name": "x"}, 5]`:                                   "",
		`[{"name": null}]`:                                     "",
		`[]`:                                                   "",
		`[1, 2]`:                                               "",
	} {
		list, err := Parse("test", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := Identity(list.Elements()); got != want {
			t.Errorf("%s: got %q, expected %q", text, got, want)
		}
	}
}
