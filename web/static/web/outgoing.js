// @ts-check
/** Records the data that leaves the page while it is open, for users to see. */

const here = location.origin;

/** The record so far. */
export const outgoing = {
  /** The number of the page's own files that it has loaded, including itself. */ files: 1,
  /** Requested addresses of other origins. @type {string[]} */ elsewhere: [],
  /** Addresses that the browser blocked. @type {string[]} */ stopped: [],
  /** The number of messages to the parent page. */ messages: 0,
  /** The number of lines to a serial device. */ lines: 0,
  /** Whether the browser blocks requests to other addresses. */ guarded: false,
  /** Called when there is more. @type {(() => void) | null} */ onchange: null,
};

/**
 * Counts data that a rule sent.
 *
 * @param {"messages" | "lines"} what
 */
export function sent(what) {
  outgoing[what]++;
  outgoing.onchange?.();
}

/** Records the requests that the browser blocked. */
function look() {
  const { stopped } = /** @type {{ stopped: string[] }} */ (/** @type {any} */ (globalThis).studio);
  outgoing.stopped = [...new Set(stopped)];
  outgoing.elsewhere = outgoing.elsewhere.filter((address) => !outgoing.stopped.includes(address));
  outgoing.onchange?.();
}

new PerformanceObserver((list) => {
  for (const { name } of list.getEntries()) {
    const { protocol, origin } = new URL(name, here);
    if (protocol === "blob:" || protocol === "data:") continue;
    if (origin === here) outgoing.files++;
    else if (!outgoing.elsewhere.includes(name)) outgoing.elsewhere.push(name);
  }
  look();
}).observe({ type: "resource", buffered: true });

addEventListener("securitypolicyviolation", look);

// The policy lists the addresses that the page may request. A GET returns the response that made the page, also
// if the service worker has kept it.
fetch(location.href).then(
  ({ headers }) => {
    outgoing.guarded = /(^|;)\s*connect-src 'self'\s*(;|$)/.test(headers.get("Content-Security-Policy") ?? "");
    outgoing.onchange?.();
  },
  () => {}, // nothing can be sent without a network
);
