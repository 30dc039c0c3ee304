import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { SetupError } from './settings/reading.ts';

/** A certificate and its private key, both in PEM form. */
export type Certificate = { readonly cert: string; readonly key: string };

const DAY_MS = 24 * 3600 * 1000;
/** Days. Players must accept each new certificate in their browsers, so one is used for long. */
const VALID_DAYS = 365;
const RENEW_DAYS = 14;

/**
 * Reads the certificate that the settings name.
 * @throws SetupError with one sentence if a file is missing or invalid, or if the key does not belong to the
 * certificate.
 */
export function readCertificate(files: { readonly certificate: string; readonly key: string }): Certificate {
  const cert = readFile('TLS_CERT', files.certificate);
  const key = readFile('TLS_KEY', files.key);
  const x509 = parse(`TLS_CERT, ${files.certificate}, is no certificate in PEM form.`, () => {
    return new X509Certificate(cert);
  });
  const privateKey = parse(`TLS_KEY, ${files.key}, is no private key in PEM form.`, () => {
    return createPrivateKey(key);
  });
  if (!x509.checkPrivateKey(privateKey)) {
    throw new SetupError('TLS_KEY is not the key of the certificate in TLS_CERT.');
  }
  return { cert, key };
}

function readFile(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new SetupError(`${setting} is ${path}, which can't be read.`);
  }
}

function parse<T>(complaint: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw new SetupError(complaint);
  }
}

/**
 * Returns this machine's own certificate for its names and addresses: the stored one if it is valid for all
 * of them, else a new one.
 * @param folder where it is stored. If it can't be written, browsers must accept a new certificate after each
 * start.
 */
export async function ownCertificate(
  folder: string,
  names: readonly string[],
  now = Date.now(),
): Promise<Certificate> {
  const kept = readKept(folder);
  if (kept !== null && holds(kept, names, now)) return kept;
  const made = await makeCertificate(names, now);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'key.pem'), made.key, { mode: 0o600 });
    writeFileSync(join(folder, 'cert.pem'), made.cert);
  } catch {
    // The certificate works although it is not stored.
  }
  return made;
}

function readKept(folder: string): Certificate | null {
  try {
    return {
      cert: readFileSync(join(folder, 'cert.pem'), 'utf8'),
      key: readFileSync(join(folder, 'key.pem'), 'utf8'),
    };
  } catch {
    return null;
  }
}

function holds({ cert, key }: Certificate, names: readonly string[], now: number): boolean {
  try {
    const x509 = new X509Certificate(cert);
    return (
      Date.parse(x509.validTo) - now > RENEW_DAYS * DAY_MS &&
      Date.parse(x509.validFrom) <= now &&
      x509.checkPrivateKey(createPrivateKey(key)) &&
      names.every((name) => (isIP(name) === 0 ? x509.checkHost(name) : x509.checkIP(name)) !== undefined)
    );
  } catch {
    return false;
  }
}

async function makeCertificate(names: readonly string[], now: number): Promise<Certificate> {
  const made = await generate([{ name: 'commonName', value: 'Handover on this network' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    // One day earlier, for machines with a slow clock.
    notBeforeDate: new Date(now - DAY_MS),
    notAfterDate: new Date(now + VALID_DAYS * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: names.map((name) => (isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name })),
      },
    ],
  });
  return { cert: made.cert, key: made.private };
}
