/** True if this page can open WebRTC connections: some browsers, settings and extensions turn them off. */
export function hasWebRtc(): boolean {
  try {
    new RTCPeerConnection().close();
    return true;
  } catch {
    return false;
  }
}
