// Runs before the page's own scripts and looks over its shoulder: which frames
// go to the engine's worker, what comes back, and when the main thread is busy.
(() => {
  const canvas = new OffscreenCanvas(1, 1);
  const context = canvas.getContext("2d", { alpha: false, willReadFrequently: true });

  /** The pixels of a whole frame. */
  function pixels(frame) {
    const width = frame.displayWidth ?? frame.width, height = frame.displayHeight ?? frame.height;
    canvas.width = width;
    canvas.height = height;
    context.drawImage(frame, 0, 0);
    return { width, height, data: context.getImageData(0, 0, width, height).data };
  }

  // The fake camera is named after its file, which is different every time. Pages that are not secure,
  // such as about:blank, have no cameras.
  if (globalThis.MediaDeviceInfo) Object.defineProperty(MediaDeviceInfo.prototype, "label", { get: () => "Camera" });

  const spy = (globalThis.spy = {
    /** Whether frames to classify are copied; frames to learn always are. */
    copying: false,
    /** Messages to the engine: { type, exampleId, frame, reply }; the reply has the network's input pixels. */
    sent: [],
    /** Parts of the method that replace the page's choice, such as { embedder }. */
    method: {},
    /** The number of answers. */
    answers: 0,
    /** The latest explanations with the network's input: { explanation, pixels }. */
    reasons: [],
    /** The maximum number of simultaneous classifications. */
    most: 0,
    /** The scores of the latest answer, and whether it is unknown. */
    last: [],
    unknown: false,
    /** Every worker of the page. */
    workers: [],

    /** The color of the band at the left of the camera's picture. */
    band() {
      const video = document.querySelector("video");
      canvas.width = canvas.height = 1;
      context.drawImage(video, video.videoWidth / 16, video.videoHeight / 2, 1, 1, 0, 0, 1, 1);
      return Array.from(context.getImageData(0, 0, 1, 1).data.slice(0, 3));
    },

    /** Bytes in base64, for the test. */
    base64(data) {
      let text = "";
      for (let i = 0; i < data.length; i += 0x8000) text += String.fromCharCode(...data.subarray(i, i + 0x8000));
      return btoa(text);
    },
  });

  const pendingOf = new WeakMap(), { postMessage } = Worker.prototype;

  /** Records the replies of a worker, and returns its unanswered messages. */
  function watch(worker) {
    const pending = new Map();
    pendingOf.set(worker, pending);
    spy.workers.push(worker);
    worker.addEventListener("message", ({ data }) => {
      const record = pending.get(data.id);
      if (!record) return;
      pending.delete(data.id);
      record.reply = data;
      if (record.type === "classify" && data.ok) {
        spy.answers++;
        spy.last = data.scores;
        spy.unknown = Boolean(data.unknown?.unknown);
        if (data.explanation) {
          spy.reasons = [...spy.reasons.slice(-15), data];
        }
      }
    });
    return pending;
  }

  Worker.prototype.postMessage = function (message, transfer) {
    const pending = pendingOf.get(this) ?? watch(this); // one that is older than this script
    const { id, type, exampleId, picture } = message ?? {};
    const record = { type, exampleId };
    if (type === "init") message = { ...message, method: { ...message.method, ...spy.method } };
    if (id !== undefined) pending.set(id, record);
    const underWay = [...pending.values()].filter((r) => r.type === "classify").length;
    spy.most = Math.max(spy.most, underWay);
    if (picture?.frame && (type === "addExample" || spy.copying)) {
      record.frame = pixels(picture.frame);
      if (type === "classify") message = { ...message, pixels: true };
      spy.sent.push(record);
    }
    return postMessage.call(this, message, transfer);
  };

  globalThis.Worker = class extends Worker {
    constructor(...args) {
      super(...args);
      watch(this); // before listeners that may send the next frame
    }
  };
})();
