/** The score of a game of ten frames, from the pins that fell in each roll. */
const FRAMES = 10;

/** True if a frame takes no further roll. */
function isOver(frame, number) {
  if (number < FRAMES) return frame[0] === 10 || frame.length === 2;
  return frame.length === 3 || (frame.length === 2 && frame[0] + frame[1] < 10);
}

/**
 * The rolls of each frame: `[[10], [3, 6], [4]]`. An empty last frame waits for its first roll; none does after a game.
 * @param {number[]} rolls
 */
export function framesOf(rolls) {
  /** @type {number[][]} */
  const frames = [[]];
  for (const pins of rolls) {
    frames.at(-1).push(pins);
    if (isOver(frames.at(-1), frames.length)) frames.push([]);
  }
  return frames.slice(0, FRAMES);
}

/** True after the last roll of a game. */
export function isGameOver(rolls) {
  const frames = framesOf(rolls);
  return frames.length === FRAMES && isOver(frames.at(-1), FRAMES);
}

/** The pins that stand before the next roll of a frame: all ten after a strike or a spare. */
export function standingIn(frame) {
  return frame.reduce((standing, pins) => (standing === pins ? 10 : standing - pins), 10);
}

/** The points so far. */
export function scoreOf(rolls) {
  let [score, at] = [0, 0];
  for (let frame = 0; frame < FRAMES && at < rolls.length; frame++) {
    const [first, second = 0, third = 0] = rolls.slice(at, at + 3);
    const isStrike = first === 10;
    score += first + second + (isStrike || first + second === 10 ? third : 0);
    at += isStrike ? 1 : 2;
  }
  return score;
}
