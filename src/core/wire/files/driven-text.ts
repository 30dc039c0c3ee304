import { pose } from '../../base/math.ts';
import type { DrivenBody, DrivenPath } from '../../world/driven/driven.ts';
import type { FieldReader } from './field-reader.ts';
import { kindOf } from './foreign.ts';

/** Reads a driven body [K1] of a level's text. */
export function readDriven(read: FieldReader, value: unknown, at: string): DrivenBody {
  const of = read.fields(value, at, ['shape', 'start', 'friction', 'restitution', 'path']);
  return {
    shape: read.shape(of.shape, `${at}.shape`),
    start: read.pose(of.start, `${at}.start`),
    friction: read.number(of.friction, `${at}.friction`),
    restitution: read.number(of.restitution, `${at}.restitution`),
    path: readPath(read, of.path, `${at}.path`),
  };
}

function readPath(read: FieldReader, value: unknown, at: string): DrivenPath {
  const kind = kindOf(value);
  switch (kind) {
    case 'turn': {
      const of = read.fields(value, at, ['kind', 'pivot', 'axis', 'period']);
      const axis = read.vector(of.axis, `${at}.axis`);
      return { kind, pivot: read.vector(of.pivot, `${at}.pivot`), axis, period: number(of.period, 'period') };
    }
    case 'shuttle': {
      const of = read.fields(value, at, ['kind', 'to', 'seconds', 'wait']);
      const seconds = number(of.seconds, 'seconds');
      return { kind, to: read.pose(of.to, `${at}.to`), seconds, wait: number(of.wait, 'wait') };
    }
    case 'belt': {
      const of = read.fields(value, at, ['kind', 'velocity']);
      return { kind, velocity: read.vector(of.velocity, `${at}.velocity`) };
    }
    default:
      read.say(`${at} is no path that may be here.`);
      return { kind: 'shuttle', to: pose(), seconds: 1, wait: 0 };
  }

  function number(from: unknown, name: string): number {
    return read.number(from, `${at}.${name}`);
  }
}
