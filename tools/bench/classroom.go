package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/web/server"
)

// What is on the page after a lesson.
const (
	classroomClasses = 12
	classroomEach    = 40
	classroomKept    = 500 // that are opened again
)

// fakeCamera are the browser's flags for a camera of 60 frames a second, so that it is not
// what limits the answers.
var fakeCamera = []chromedp.ExecAllocatorOption{
	chromedp.Flag("use-fake-device-for-media-stream", "fps=60"),
	chromedp.Flag("use-fake-ui-for-media-stream", true),
}

// tasks are what a stretch of the studio gave.
type tasks struct {
	Rate    float64 // answers a second
	Longest float64 // milliseconds of the longest task of the main thread; 0: under 50
	Long    float64 // tasks of 50 ms and more
	Answers float64
	Mean    float64 // milliseconds of the main thread for each answer
}

// classroom measures the studio with many classes of many examples beside the engine
// alone, on frames of the same camera, in turns.
func classroom(b *bench) error {
	site, err := server.New(os.DirFS(b.site))
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/", site)
	mux.Handle("/pages/", http.FileServerFS(pages))
	s := httptest.NewServer(mux)
	defer s.Close()
	open := func(address string) (*chromium, context.Context, error) {
		c, err := startChromium(fakeCamera...)
		if err != nil {
			return nil, nil, err
		}
		ctx, err := c.tab(s.URL + address)
		return c, ctx, err
	}
	alone, engine, err := open("/pages/live.html")
	if err != nil {
		return err
	}
	defer alone.cancel()
	taught := fmt.Sprintf("%d, %d", classroomClasses, classroomEach)
	if _, err := evaluate[float64](engine, settled("globalThis.live")); err != nil {
		return err
	}
	if _, err := evaluate[float64](engine, "live.lesson("+taught+")"); err != nil {
		return err
	}
	page, studio, err := open("/")
	if err != nil {
		return err
	}
	defer page.cancel()
	if _, err := evaluate[bool](studio, lesson); err != nil {
		return err
	}
	filled, err := evaluate[float64](studio, "lesson.fill("+taught+")")
	if err != nil {
		return err
	}
	rounds, seconds := 5, 6
	if b.repetitions < 11 {
		rounds, seconds = 2, 4
	}
	var engines, studios, held []float64
	var watching, holding []tasks
	for range rounds {
		rate, err := evaluate[float64](engine, fmt.Sprintf("live.watch(%d)", seconds))
		if err != nil {
			return err
		}
		if _, err := evaluate[bool](studio, "lesson.start()"); err != nil {
			return err
		}
		watched, err := stretch(studio, fmt.Sprintf("lesson.watch(%d)", seconds))
		if err != nil {
			return err
		}
		captured, err := stretch(studio, "lesson.hold(3)")
		if err != nil {
			return err
		}
		if _, err := evaluate[bool](studio, "lesson.stop()"); err != nil {
			return err
		}
		engines, studios, held = append(engines, rate), append(studios, watched.Rate), append(held, captured.Rate)
		watching, holding = append(watching, watched), append(holding, captured)
	}
	b.row("the engine alone", middle(engines), "answers/s", "")
	b.row("the studio", middle(studios), "answers/s", fmt.Sprintf("%.2f of the engine's; %s", middle(studios)/middle(engines), longTasks(watching)))
	b.row("the same while a button is held", middle(held), "answers/s", longTasks(holding))
	b.row("examples added from files", filled, "s", "embedded, shown and kept")
	return visits(b, studio, s.URL+"/")
}

// opened is what the opening of a project took, in seconds.
type opened struct {
	Paint float64 // of the page, since navigation
	Back  float64 // until all examples are shown, known to the engine and kept
	First float64 // from the click that starts the camera to the first answer
}

// visits measures the next visits to a studio, and a file, with classroomKept examples.
func visits(b *bench, studio context.Context, address string) error {
	again, err := evaluate[float64](studio, fmt.Sprintf("lesson.more(%d)", classroomKept))
	if err != nil {
		return err
	}
	file, err := evaluate[string](studio, "lesson.file()")
	if err != nil {
		return err
	}
	rounds := 5
	if b.repetitions < 11 {
		rounds = 3
	}
	var paint, back, first, fromFile []float64
	for range rounds {
		if err := chromedp.Do(studio, chromedp.Navigate(address)); err != nil {
			return err
		}
		got, err := evaluate[opened](studio, fmt.Sprintf(reopened, int(again)))
		if err != nil {
			return err
		}
		paint, back, first = append(paint, 1000*got.Paint), append(back, got.Back), append(first, 1000*got.First)
	}
	for range rounds {
		if _, err := evaluate[bool](studio, lesson); err != nil {
			return err
		}
		took, err := evaluate[float64](studio, fmt.Sprintf("lesson.open(%q, %d)", file, int(again)))
		if err != nil {
			return err
		}
		fromFile = append(fromFile, took)
	}
	all := fmt.Sprintf("%d of them", int(again))
	b.row("the next visit: first paint", middle(paint), "ms", "")
	b.row("the next visit: all examples are back", middle(back), "s", all)
	b.row("the next visit: the first answer to the camera", middle(first), "ms", "since the click that starts it")
	b.row("from a file: all examples are back", middle(fromFile), "s", all+", with their embeddings")
	return nil
}

// stretch runs a script of the studio's that lasts a while, and adds what it took the main
// thread of the processor's time.
func stretch(studio context.Context, script string) (tasks, error) {
	before, err := mainThread(studio)
	if err != nil {
		return tasks{}, err
	}
	got, err := evaluate[tasks](studio, script)
	if err != nil {
		return tasks{}, err
	}
	after, err := mainThread(studio)
	got.Mean = (after - before) / max(got.Answers, 1)
	return got, err
}

// mainThread is the processor time that a page's main thread has taken, in milliseconds.
func mainThread(page context.Context) (ms float64, err error) {
	err = chromedp.Do(page, func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		if _, err := cdp.Call(ctx, target, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks}); err != nil {
			return chromedp.Void{}, err
		}
		all, err := cdp.Call(ctx, target, performance.GetMetrics, cdp.Empty{})
		if err == nil {
			for _, m := range all.Metrics {
				if m.Name == "TaskDuration" {
					ms = 1000 * m.Value
				}
			}
		}
		return chromedp.Void{}, err
	})
	return ms, err
}

// middle is the median.
func middle(of []float64) float64 {
	sorted := slices.Sorted(slices.Values(of))
	return sorted[len(sorted)/2]
}

// longTasks says how long the longest task was in some stretches, and what an answer takes.
func longTasks(of []tasks) string {
	longest, long, mean := 0.0, 0.0, 0.0
	for _, t := range of {
		longest, long, mean = max(longest, t.Longest), long+t.Long, mean+t.Mean/float64(len(of))
	}
	if long == 0 {
		return fmt.Sprintf("%.1f ms of the main thread an answer, no task of 50 ms", mean)
	}
	return fmt.Sprintf("%.1f ms of the main thread an answer, %.0f tasks of 50 ms and more, the longest %.0f ms", mean, long, longest)
}

// lesson gives the studio a global object that does there what a class does.
const lesson = `(() => {
	const until = async (condition) => { while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20)); };
	const rest = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
	const count = () => [...document.querySelectorAll(".cards .count")].reduce((n, c) => n + parseInt(c.innerText), 0);
	const kept = () => document.querySelector("#kept.saved")?.innerText.startsWith("Saved");
	let asked = 0;
	const post = Worker.prototype.postMessage;
	Worker.prototype.postMessage = function (message, ...rest) {
		if (message?.type === "classify") asked++;
		return post.call(this, message, ...rest);
	};
	const picture = async (kind, shot) => {
		const canvas = Object.assign(document.createElement("canvas"), { width: 160, height: 160 });
		const context = canvas.getContext("2d");
		context.fillStyle = "hsl(" + kind * 30 + " 40% 50%)";
		context.fillRect(0, 0, 160, 160);
		for (let k = 0; k < 6; k++) {
			context.fillStyle = "hsl(" + (kind * 67 + k * 50) % 360 + " 70% " + (30 + 8 * k) + "%)";
			context.fillRect(80 + 60 * Math.sin(shot + k * (kind + 1)) - 20, 80 + 60 * Math.cos(shot * 2 + k) - 20, 40, 25 + 5 * k);
		}
		return new File([await new Promise((resolve) => canvas.toBlob(resolve))], kind + "-" + shot + ".png", { type: "image/png" });
	};
	const stretch = async (seconds) => {
		const long = [];
		const observer = new PerformanceObserver((list) => long.push(...list.getEntries().map((e) => e.duration)));
		observer.observe({ type: "longtask" });
		const from = asked, begin = performance.now();
		await rest(seconds);
		await rest(0.1); // until the last task is reported
		observer.disconnect();
		return { rate: (1000 * (asked - from)) / (performance.now() - begin), longest: Math.max(0, ...long), long: long.length, answers: asked - from };
	};
	globalThis.lesson = {
		async fill(classes, each) {
			await until(() => document.querySelector(".studio:not([inert])") && document.querySelector(".engine.ready"));
			while (document.querySelectorAll(".cards .card").length < classes) {
				const n = document.querySelectorAll(".cards .card").length;
				document.querySelector("#add-class").click();
				await until(() => document.querySelectorAll(".cards .card").length > n);
			}
			const begin = performance.now();
			for (let kind = 0; kind < classes; kind++) {
				const transfer = new DataTransfer();
				for (let shot = 0; shot < each; shot++) transfer.items.add(await picture(kind, shot));
				const input = document.querySelectorAll(".cards .card input[type=file]")[kind];
				input.files = transfer.files;
				input.dispatchEvent(new Event("change", { bubbles: true }));
			}
			await until(() => count() === classes * each && document.querySelectorAll(".cards .thumbnail").length === classes * each && kept());
			return (performance.now() - begin) / 1000;
		},
		async start() {
			document.querySelector("#start.primary").click();
			await until(() => document.querySelector("#start.plain") && document.querySelector(".bar:not(.unknown)"));
			await rest(2);
			return true;
		},
		async stop() {
			document.querySelector("#start.plain").click();
			await until(() => document.querySelector("#start.primary"));
			return true;
		},
		watch: stretch,
		/** Holds a button, and takes back what came of it. */
		async hold(seconds) {
			const button = document.querySelector(".cards .capture"), before = count();
			button.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true, cancelable: true }));
			const got = await stretch(seconds);
			button.dispatchEvent(new KeyboardEvent("keyup", { key: " ", bubbles: true, cancelable: true }));
			await until(() => !document.querySelector(".card.held"));
			document.querySelector("#undo").click();
			await until(() => count() === before);
			return got;
		},
		/** Adds examples to the first class, until there are so many of all. */
		async more(all) {
			const transfer = new DataTransfer(), missing = all - count();
			for (let shot = 0; shot < missing; shot++) transfer.items.add(await picture(0, 1000 + shot));
			const input = document.querySelector(".cards .card input[type=file]");
			input.files = transfer.files;
			input.dispatchEvent(new Event("change", { bubbles: true }));
			await until(() => count() === all && kept());
			return count();
		},
		/** Saves the project as a file, and keeps that: returns its name. */
		async file() {
			const { createObjectURL } = URL, { click } = HTMLAnchorElement.prototype;
			const saved = new Promise((resolve) => {
				URL.createObjectURL = (file) => (resolve(file), createObjectURL.call(URL, file));
				HTMLAnchorElement.prototype.click = () => {};
			});
			document.querySelector("#save-file").click();
			await (await caches.open("bench")).put("/bench.deepemd", new Response(await saved));
			await rest(1);
			Object.assign(URL, { createObjectURL });
			Object.assign(HTMLAnchorElement.prototype, { click });
			return "/bench.deepemd";
		},
		/** Opens a file in place of what is there: seconds until all is back. */
		async open(name, all) {
			document.querySelector("#new-project").click();
			await until(() => document.querySelectorAll(".cards .thumbnail").length === 0);
			const response = await (await caches.open("bench")).match(name);
			const transfer = new DataTransfer();
			transfer.items.add(new File([await response.blob()], "bench.deepemd"));
			const input = document.querySelector("#open-file"), begin = performance.now();
			input.files = transfer.files;
			input.dispatchEvent(new Event("change", { bubbles: true }));
			await until(() => document.querySelectorAll(".cards .thumbnail").length > 0 && count() === all && kept());
			return (performance.now() - begin) / 1000;
		},
	};
	return true;
})()`

// reopened waits after navigation until so many examples are known to the engine, and
// every picture of theirs is drawn, in sight or not, and then starts the camera.
const reopened = `(async () => {
	const count = () => [...document.querySelectorAll(".cards .count")].reduce((n, c) => n + parseInt(c.innerText), 0);
	const until = async (condition) => { while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5)); };
	const drawn = () => [...document.querySelectorAll(".cards .thumbnail img")];
	await until(() => drawn().length > 0 && count() === %d && drawn().every((image) => image.naturalWidth > 0) &&
		document.querySelector("#kept.saved")?.innerText.startsWith("Saved") && document.querySelector(".engine.ready"));
	const back = performance.now();
	document.querySelector("#start.primary").click();
	await until(() => document.querySelector(".bar:not(.unknown)"));
	const first = performance.now();
	document.querySelector("#start.plain").click();
	await until(() => document.querySelector("#start.primary"));
	return { paint: performance.getEntriesByName("first-contentful-paint")[0].startTime / 1000, back: back / 1000, first: (first - back) / 1000 };
})()`
