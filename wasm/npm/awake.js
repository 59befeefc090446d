// @ts-check

/**
 * Keeps the screen on, because a camera or a microphone stops on a device that sleeps.
 *
 * @returns {() => void} lets the screen turn off again
 */
export function keepAwake() {
  let wanted = true;
  /** @type {WakeLockSentinel | undefined} */
  let lock;
  const forbidden = isForbidden("screen-wake-lock"); // Chromium's console would call a request an error
  const request = async () => {
    if (document.hidden || forbidden) return;
    try {
      lock = await navigator.wakeLock.request("screen");
      if (!wanted) await lock.release();
    } catch {
      // Old browsers have no locks, and an empty battery can refuse them.
    }
  };
  document.addEventListener("visibilitychange", request); // a hidden page loses its lock
  void request();
  return () => {
    wanted = false;
    document.removeEventListener("visibilitychange", request);
    void lock?.release();
    lock = undefined;
  };
}

/**
 * Whether the page around this one, or the server, blocks a feature, as far as the browser says.
 *
 * @param {string} feature
 */
export function isForbidden(feature) {
  const { permissionsPolicy, featurePolicy } = /** @type {any} */ (document);
  return (permissionsPolicy ?? featurePolicy)?.allowsFeature(feature) === false;
}
