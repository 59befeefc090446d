// The time from navigation to the first paint with content.
new Promise((resolve) => {
	new PerformanceObserver((list, observer) => {
		const entry = list.getEntriesByName("first-contentful-paint")[0];
		if (entry) { observer.disconnect(); resolve(entry.startTime); }
	}).observe({ type: "paint", buffered: true });
});
