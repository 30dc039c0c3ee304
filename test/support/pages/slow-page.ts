/**
 * Runs in a page before all else: its clock, its timers and its frames run N times slower, as those of the processes in
 * slow-motion.ts. The browser's own waits, such as those of a data channel, keep their speed.
 */
export function slowPage(times: number): void {
  const readClock = performance.now.bind(performance);
  performance.now = () => readClock() / times;
  const { setTimeout: later, setInterval: repeatedly } = window;
  window.setTimeout = ((act: () => void, ms = 0) => later(act, ms * times)) as typeof setTimeout;
  window.setInterval = ((act: () => void, ms = 0) => repeatedly(act, ms * times)) as typeof setInterval;
  const request = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (onFrame) => request((nowMs) => onFrame(nowMs / times));
  // A worker has a clock of its own: without workers the ticker takes the page's timer.
  Object.defineProperty(window, 'Worker', { value: undefined });
}
