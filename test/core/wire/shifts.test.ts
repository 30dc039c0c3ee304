import { test } from 'vitest';
import { expectShiftsDecodedAlike } from './packet-checks.ts';

test('[K2.1] the shifts of a level with driven bodies are decoded alike by the project and by STANDARD.md, and encode to the same bytes', () => {
  expectShiftsDecodedAlike(0, 29);
});
