/**
 * Seconds after which what a story waits for is taken never to come. It is no measure: a busy machine takes many times as
 * long as an idle one.
 */
export const PATIENCE = 120;
