package web

import (
	"slices"
	"testing"

	"github.com/deepemd/deepemd/internal/nodetest"
)

// The browser closes, and perhaps deletes, the database while the page is open: the next save opens it again, and writes
// all missing records.
func TestSaveAfterTheDatabaseWasClosed(t *testing.T) {
	page := nodetest.Start(t, packaged+`
		Object.assign(globalThis, { addEventListener() {}, IntersectionObserver: class {} });
		const { Database } = await import(ROOT + "web/static/web/database.js");
		const { Gallery } = await import(ROOT + "web/static/web/gallery.js");
		const { Projects } = await import(ROOT + "web/static/web/projects.js");

		const request = (result) => {
			const made = { result };
			setTimeout(() => made.onsuccess?.());
			return made;
		};
		async function answer({ deleted }) {
			let kept = { projects: new Map(), examples: new Map() }, database;
			const put = [];
			const store = (name) => ({
				transaction: { commit() {} },
				get: (id) => request(kept[name].get(id)),
				put(value) {
					put.push(value.id);
					return request(kept[name].set(value.id, value));
				},
			});
			globalThis.indexedDB = {
				open() {
					database = {
						transaction() {
							if (this.closed) throw new DOMException("it is closed", "InvalidStateError");
							const transaction = { objectStore: store };
							setTimeout(() => transaction.oncomplete(), 50);
							return transaction;
						},
					};
					return request(database);
				},
			};
			const gallery = new Gallery();
			gallery.contents.set("e1", { picture: new Blob() }).set("e2", { picture: new Blob() });
			const projects = new Projects(gallery, { database: new Database() });
			projects.accept("p");
			const save = (...examples) => projects.save("p", JSON.stringify({ classes: [{ examples: examples.map((id) => ({ id })) }] }), "[]");
			await save("e1");
			database.closed = true;
			database.onclose?.();
			if (deleted) kept = { projects: new Map(), examples: new Map() };
			put.length = 0;
			await save("e1", "e2");
			return put;
		}`)
	for deleted, want := range map[bool][]string{false: {"e2", "p"}, true: {"e2", "p", "e1", "e2", "p"}} {
		var got []string
		if err := page.Ask(t, map[string]bool{"deleted": deleted}, &got); err != nil || !slices.Equal(got, want) {
			t.Errorf("deleted %t: it wrote %q, want %q; error %+v", deleted, got, want, err)
		}
	}
}

// Some requests only report that they were aborted when the storage gets full. The reason is the transaction's; in Firefox, it
// is that of another request, and the transaction may even complete.
func TestAFullStorageIsNamed(t *testing.T) {
	page := nodetest.Start(t, `
		const { Database, done } = await import(ROOT + "web/static/web/database.js");
		async function answer({ request: name, transaction: last, waits }) {
			const exception = (name) => name && new DOMException("no space", name);
			const request = (result, error) => {
				const made = { result, error };
				setTimeout(() => {
					if (!error) return made.onsuccess?.();
					made.onerror?.();
					transaction.onerror?.({ target: made });
				});
				return made;
			};
			const transaction = {
				error: waits && exception(last),
				objectStore: () => ({ put: (name) => request(undefined, exception(name)) }),
				abort() { this.aborted = true; },
			};
			globalThis.indexedDB = { open: () => request({ transaction: () => transaction }) };
			setTimeout(() => {
				transaction.error ||= exception(last);
				last ? transaction.onabort() : transaction.oncomplete();
			}, 50);
			const code = await new Database().write((whole) => {
				const first = whole.put(name);
				return waits ? done(whole.put("AbortError")) : first;
			}).catch(({ code }) => code);
			return [code, transaction.aborted ?? false];
		}`)
	type failing struct {
		Request     string `json:"request"`     // the error of the first request
		Transaction string `json:"transaction"` // "" if it completes
		Waits       bool   `json:"waits"`       // for the second request, which is aborted
	}
	const full, aborted = "QuotaExceededError", "AbortError"
	for _, c := range []struct {
		failing
		want []any
	}{
		{failing{aborted, full, true}, []any{"full", false}},
		{failing{aborted, full, false}, []any{"full", false}},
		{failing{full, aborted, true}, []any{"full", false}},
		{failing{full, aborted, false}, []any{"full", false}},
		{failing{full, "", false}, []any{"full", false}},
		{failing{aborted, "", true}, []any{"no-store", true}},
	} {
		var got []any
		if err := page.Ask(t, c.failing, &got); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, error %+v; want %v", c.failing, got, err, c.want)
		}
	}
}
