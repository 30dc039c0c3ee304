import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownCertificate, readCertificate } from '../../src/server/certificate.ts';
import { temporaryFolder } from './folders.ts';

const NAMES = ['localhost', 'hal.local', '127.0.0.1', '::1', '192.0.2.7', 'fd00::2'];
const DAY_MS = 24 * 3600 * 1000;

describe("the server's own certificate", () => {
  test('is valid for its names and addresses, for one year', async () => {
    const { cert } = await ownCertificate(temporaryFolder(), NAMES);
    const x509 = new X509Certificate(cert);
    expect([x509.checkHost('localhost'), x509.checkHost('hal.local')]).toEqual(['localhost', 'hal.local']);
    for (const ip of NAMES.slice(2)) expect(x509.checkIP(ip)).toBe(ip);
    expect(x509.checkIP('192.0.2.8')).toBeUndefined();
    const days = (Date.parse(x509.validTo) - Date.now()) / DAY_MS;
    expect(days).toBeGreaterThan(360);
    // Some browsers refuse a certificate that is valid for longer.
    expect((Date.parse(x509.validTo) - Date.parse(x509.validFrom)) / DAY_MS).toBeLessThan(398);
  });

  test('is made once, and only its owner can read the key', async () => {
    const folder = temporaryFolder();
    const first = await ownCertificate(folder, NAMES);
    expect(await ownCertificate(folder, NAMES.slice(1))).toEqual(first);
    expect(readFileSync(join(folder, 'cert.pem'), 'utf8')).toBe(first.cert);
    if (process.platform !== 'win32') expect(statSync(join(folder, 'key.pem')).mode & 0o077).toBe(0);
  });

  test('is made again for a new address, shortly before it expires, and when it is damaged', async () => {
    const folder = temporaryFolder();
    const first = await ownCertificate(folder, NAMES);
    const moved = await ownCertificate(folder, [...NAMES, '192.0.2.8']);
    expect(moved.cert).not.toBe(first.cert);
    const inTime = await ownCertificate(folder, NAMES, Date.now() + 340 * DAY_MS);
    expect(inTime.cert).toBe(moved.cert);
    const later = await ownCertificate(folder, NAMES, Date.now() + 355 * DAY_MS);
    expect(later.cert).not.toBe(moved.cert);
    writeFileSync(join(folder, 'cert.pem'), 'nothing');
    expect((await ownCertificate(folder, NAMES)).cert).toContain('BEGIN CERTIFICATE');
  });

  test("works without being stored if the folder can't be written", async () => {
    const folder = join(temporaryFolder({ file: '' }), 'file', 'below');
    expect((await ownCertificate(folder, NAMES)).key).toContain('BEGIN PRIVATE KEY');
  });
});

describe('a given certificate', () => {
  test('is read', async () => {
    const folder = temporaryFolder();
    const made = await ownCertificate(folder, NAMES);
    const files = { certificate: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
    expect(readCertificate(files)).toEqual(made);
  });

  test('gives one sentence if it is invalid', async () => {
    const folder = temporaryFolder({ 'text.pem': 'nothing' });
    const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    await ownCertificate(folder, NAMES);
    const other = temporaryFolder();
    await ownCertificate(other, NAMES);
    const text = join(folder, 'text.pem');
    const complaint = (files: { certificate: string; key: string }) => () => readCertificate(files);
    expect(complaint({ certificate: 'nowhere.pem', key })).toThrow(
      "TLS_CERT is nowhere.pem, which can't be read.",
    );
    expect(complaint({ certificate, key: 'nowhere.pem' })).toThrow(
      "TLS_KEY is nowhere.pem, which can't be read.",
    );
    expect(complaint({ certificate: text, key })).toThrow(
      `TLS_CERT, ${text}, is no certificate in PEM form.`,
    );
    expect(complaint({ certificate, key: text })).toThrow(`TLS_KEY, ${text}, is no private key in PEM form.`);
    expect(complaint({ certificate, key: join(other, 'key.pem') })).toThrow(
      'TLS_KEY is not the key of the certificate in TLS_CERT.',
    );
  });
});
