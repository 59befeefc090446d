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

// A request that waits when the storage gets full only reports that it was aborted: the reason is the transaction's.
func TestAFullStorageIsNamed(t *testing.T) {
	page := nodetest.Start(t, `
		const { Database, done } = await import(ROOT + "web/static/web/database.js");
		async function answer({ name }) {
			const request = (result, error) => {
				const made = { result, error };
				setTimeout(() => (error ? made.onerror?.() : made.onsuccess?.()));
				return made;
			};
			const transaction = {
				error: name && new DOMException("no space", name),
				objectStore: () => ({ put: () => request(undefined, new DOMException("it was aborted", "AbortError")) }),
				abort() { this.aborted = true; },
			};
			globalThis.indexedDB = { open: () => request({ transaction: () => transaction }) };
			const code = await new Database().write((whole) => done(whole.put({}))).catch(({ code }) => code);
			return [code, transaction.aborted ?? false];
		}`)
	for name, want := range map[string][]any{"QuotaExceededError": {"full", false}, "": {"no-store", true}} {
		var got []any
		if err := page.Ask(t, map[string]string{"name": name}, &got); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, error %+v; want %v", name, got, err, want)
		}
	}
}
