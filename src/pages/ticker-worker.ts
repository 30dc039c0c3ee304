/** A timer that browsers don't slow down when the page is hidden [T4]. */
const INTERVAL_MS = 8;
setInterval(() => postMessage(0), INTERVAL_MS);
