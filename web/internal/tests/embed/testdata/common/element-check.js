/**
 * Uses a page as a person would whose framework shows <deep-emd>: it has #add (a class
 * more), #strict (another strictness) and #toggle (the element is shown, or not), and says
 * in #ready, #taught and #errors how many of those events there were, in #seen what was
 * seen last. Returns what is wrong.
 */
export async function checkElement() {
  const wrong = [];
  const expect = (what, is, want) => is !== want && wrong.push(`${what}: ${is}, want ${want}`);
  const text = (id) => document.getElementById(id).textContent;
  const click = (id) => document.getElementById(id).click();
  const until = async (what, condition) => {
    for (const end = performance.now() + 40000; performance.now() < end; ) {
      if (condition()) return true;
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    throw new Error(`waited in vain: ${what}; errors: ${text("errors")}`);
  };
  const element = () => document.querySelector("deep-emd");
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 160;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const names = { red: "red", green: "green", blue: "blue, sky" };
  /** What the camera shows: discs in red, green and blue in turn. */
  const look = () => {
    const video = element().shadowRoot.querySelector("video");
    if (!video.videoWidth) return undefined;
    context.drawImage(video, (video.videoWidth - video.videoHeight) / 2, 0, video.videoHeight, video.videoHeight, 0, 0, 160, 160);
    const rgb = Array.from(context.getImageData(80, 80, 1, 1).data.subarray(0, 3));
    const most = Math.max(...rgb);
    return most > 140 ? names[["red", "green", "blue"][rgb.indexOf(most)]] : undefined;
  };
  const shown = async (label) => (await until(`the camera shows ${label}`, () => look() === label)) && canvas;

  await until("ready", () => text("ready") === "1");
  expect("classes", element().classes.join("|"), "red|green");
  click("add");
  await until("a class more", () => element().classes.includes("blue, sky"));
  for (const label of Object.values(names)) await element().teach(label, await shown(label));
  await until("three examples", () => text("taught") === "3");
  for (const label of Object.values(names)) await until(`${label} is seen while it is shown`, () => look() === label && text("seen") === label);

  const engine = await element().engine;
  click("strict");
  await until("the strictness", () => engine.method.strangers.strictness === 0.25);
  expect("the engine goes on", (await element().engine) === engine, true);
  expect("starts", text("ready"), "1");

  const before = element();
  click("toggle");
  await until("the element has gone", () => !element());
  click("toggle");
  await until("the element is back", () => element() && text("ready") === "2");
  expect("another element", element() !== before, true);
  expect("its classes", element().classes.join("|"), "red|green|blue, sky");
  const again = await element().engine;
  expect("its examples", again.classes.map((c) => c.label + c.examples.length).join("|"), "red1|green1|blue, sky1");
  expect("its strictness", again.method.strangers.strictness, 0.25);
  for (const label of Object.values(names)) {
    const { scores } = await element().classify(await shown(label));
    expect("what is shown", scores[0].label, label);
  }
  expect("errors", text("errors"), "0");
  return wrong;
}
