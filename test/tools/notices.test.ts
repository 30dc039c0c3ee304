import { expect, test } from 'vitest';
import { wrongNotices } from '../../src/tools/notices.ts';

const NOTICES = `# Licenses

The app bundles dependencies which contain the following licenses:

## @a/one - 1.0.20

Copyright (c) somebody

## two - 2.1.0 (MIT)

MIT License
`;

test('the notices of a build have each package with its licence', () => {
  expect(wrongNotices(NOTICES, ['@a/one', 'two'])).toEqual([]);
});

test('a package that is missing, or has no licence, fails the build', () => {
  expect(wrongNotices(`${NOTICES}## three - 3.0.0 (MIT)\n`, ['two', 'four'])).toEqual([
    'The notices lack four.',
    'The notices have no licence of three.',
  ]);
});
