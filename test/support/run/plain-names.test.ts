import { expect, test } from 'vitest';

test('no property is defined for the name of a function that is made at each call', () => {
  const make = (): number => 1;
  expect(make()).toBe(1);
  // tsx puts its helper into each module with functions.
  expect(eval('String(__name)')).toMatch(/^\(?f\)?=>f\s*$/);
});
