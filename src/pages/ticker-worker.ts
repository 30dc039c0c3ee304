/** Milliseconds. Browsers do not slow down a worker's timer when the page is hidden [T4]. */
const INTERVAL_MS = 8;
setInterval(() => postMessage(0), INTERVAL_MS);
