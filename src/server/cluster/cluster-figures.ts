/** The figures of a cluster as one of its processes sees them. */
export type ClusterFigures = {
  /** Processes that live, this one among them. */
  readonly processes: number;
  /** Requests and WebSockets that were passed on, and messages of signalling. */
  readonly passed: number;
  readonly relayed: number;
  /** 1 while Redis is there, otherwise 0. */
  readonly redis: number;
};
