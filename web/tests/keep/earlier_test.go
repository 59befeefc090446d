package keep_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/browsertest"
)

// asBefore makes the one project that is kept what the studio kept when projects had no
// method: settings of version 1, some under names that were never described. Its second
// class is passed over.
const asBefore = `(async () => {
	const done = (request) => new Promise((resolve, reject) => Object.assign(request, { onsuccess: () => resolve(request.result), onerror: () => reject(request.error) }));
	const database = await done(indexedDB.open("deepemd", 1));
	const projects = database.transaction("projects", "readwrite").objectStore("projects");
	const [kept] = await done(projects.getAll());
	const { method, ...manifest } = kept.manifest;
	const settings = { embedder: { kind: "fcn", pyramid: [2, 1] }, classifier: "nearest", weighting: "equal", solver: "dense", temperature: 20, unknown: false, strictness: 0.7 };
	kept.manifest = { ...manifest, version: 1, settings };
	kept.manifest.classes[1].disabled = true;
	await done(projects.put(kept));
	database.close();
	return method !== undefined;
})()`

// What this browser kept before projects had a method opens with everything that was
// chosen then, in the page and in the engine.
func TestProjectsThatWereKeptEarlier(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Ready()
	s.teach()
	s.IsKept()
	if !browsertest.Eval[bool](s.Browser, asBefore) {
		t.Error("the project was kept without a method")
	}
	s.Revisit()
	s.WaitCount(".thumbnail", 4)
	s.WaitCount(".card.disabled", 1)
	s.OpenDialog("#open-settings", "#settings")
	s.CloseDialog("#settings")
	s.WaitFor(`["#classifier", "#weighting", "#solver", "#temperature"].map((id) => document.querySelector(id).value).join() === "nearest,equal,dense,20"`, 10*time.Second)
	s.WaitFor(`document.querySelector("input[name=mode]:checked").value === "custom"`, 5*time.Second)
	s.WaitFor(`document.querySelector("#look-for-unknown")?.checked === false`, 20*time.Second)

	var got method.Method
	if err := json.Unmarshal([]byte(browsertest.Eval[string](s.Browser, `studio.engine.then((e) => JSON.stringify(e.method))`)), &got); err != nil {
		t.Fatal(err)
	}
	want := method.Method{
		Embedder: method.Embedder{Kind: method.FCN, Pyramid: []int{2, 1}}, Classifier: method.Nearest, Weighting: method.Equal, Solver: method.Dense,
		Temperature: 20, Balance: true, Strangers: method.Strangers{Strictness: 0.7},
	}
	if !got.Equal(want) {
		t.Errorf("the engine follows %v, want %v", got, want)
	}
	if enabled := browsertest.Eval[string](s.Browser, `studio.engine.then((e) => e.classes.map((c) => c.enabled).join())`); enabled != "true,false" {
		t.Errorf("the engine has the classes enabled: %s", enabled)
	}
	s.Quiet()
}
