import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { sha256 } from '../../../src/core/base/sha256.ts';

test('gives the hash that another implementation gives, for any length', () => {
  for (let length = 0; length < 200; length++) {
    const text = '🧊éa'.repeat(length).slice(0, length);
    const bytes = Buffer.from(text, 'utf16le').swap16();
    expect(sha256(text), `${length} characters`).toBe(createHash('sha256').update(bytes).digest('hex'));
  }
});
