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
  // Chromium reports a request that the page around this one forbids in the console.
  const { permissionsPolicy, featurePolicy } = /** @type {any} */ (document);
  const forbidden = (permissionsPolicy ?? featurePolicy)?.allowsFeature("screen-wake-lock") === false;
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
