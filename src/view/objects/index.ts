/** Draws a view of a peer with a project's own objects of three.js. It imports nothing of three.js, so any version fits. */
export type { Instances, Placeable } from './place.ts';
export { placeAt, placeBody, placeInstances } from './place.ts';
export type { BodyMaker } from './body-objects.ts';
export { BodyObjects } from './body-objects.ts';
export type { AvatarMaker, AvatarParts } from './avatar-objects.ts';
export { AvatarObjects } from './avatar-objects.ts';
