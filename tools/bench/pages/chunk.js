// The browser's clock has a resolution of 0.1 ms, so passes repeat until the chunk is long enough.
// Returns milliseconds per pass.
export async function chunk(pass) {
  const start = performance.now();
  for (let passes = 1; ; passes++) {
    await pass();
    const ms = performance.now() - start;
    if (ms >= 30) return ms / passes;
  }
}

// fastest is the way to do the same thing that takes least time here, once it is warm.
export async function fastest(ways) {
  let best, least = Infinity;
  for (const way of ways) {
    await way();
    const ms = await chunk(way);
    if (ms < least) [best, least] = [way, ms];
  }
  return best;
}
