// Lets the camera run for two seconds, and returns the mean time in milliseconds between the requests to
// classify a frame. Only one is under way at a time.
(async () => {
	const video = document.querySelector("video"), asked = [], post = Worker.prototype.postMessage;
	Worker.prototype.postMessage = function (message, ...rest) {
		if (message?.type === "classify") asked.push(performance.now());
		return post.call(this, message, ...rest);
	};
	await video.play();
	await new Promise((resolve) => setTimeout(resolve, 2000));
	video.pause();
	Worker.prototype.postMessage = post;
	return (asked.at(-1) - asked[0]) / (asked.length - 1);
})();
