declare global {
  interface Window {
    /** Hear what goes to the speakers, left and right, since `tapSpeakers`; undefined before anything does. */
    ears?: readonly AnalyserNode[];
  }
}

/**
 * Runs in a page, before all else: puts ears to whatever is connected to its speakers. It uses nothing from outside
 * itself, so that it can be an init script.
 * @param samples that an ear hears at a time, a power of 2.
 */
export function tapSpeakers(samples: number): void {
  const connect = AudioNode.prototype.connect as (
    this: AudioNode,
    to: AudioNode,
    output?: number,
  ) => AudioNode;
  AudioNode.prototype.connect = function (this: AudioNode, to: AudioNode, output?: number) {
    if (to instanceof AudioDestinationNode && this.context instanceof AudioContext) {
      const splitter = new ChannelSplitterNode(this.context, { numberOfOutputs: 2 });
      connect.call(this, splitter);
      window.ears = [0, 1].map((side) => {
        const ear = new AnalyserNode(this.context, { fftSize: samples });
        connect.call(splitter, ear, side);
        return ear;
      });
    }
    return connect.call(this, to, output);
  } as typeof AudioNode.prototype.connect;
}
