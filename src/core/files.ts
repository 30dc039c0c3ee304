/**
 * Levels, saved worlds and recordings, as files and read again. wire/files/FILES.md has every byte.
 */
export type { LevelReading } from './wire/files/level-text.ts';
export { readLevel } from './wire/files/level-text.ts';
export { writeLevel } from './wire/files/write-level.ts';
export type { FileFault } from './wire/files/file.ts';
export type { SavedWorld } from './wire/files/saved-world.ts';
export { readWorldFile, writeWorldFile } from './wire/files/saved-world.ts';
export type { RecordedPeer } from './peer/recording/recorder.ts';
export { PeerRecorder, Recorder } from './peer/recording/recorder.ts';
export type { Recording } from './peer/recording/recording.ts';
export { readRecording } from './peer/recording/recording.ts';
export type { PlayedPeer } from './peer/recording/playback.ts';
export { Playback } from './peer/recording/playback.ts';
