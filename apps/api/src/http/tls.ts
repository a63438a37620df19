import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { causeOf, StartError } from '../platform/errors.ts';
import type { Log } from '../platform/ports.ts';

/** Suites for TLS 1.2 with forward secrecy (RFC 9325, section 4.2). By default, Bun also offers CBC with SHA-1. */
export const TLS_CIPHERS = ['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305']
  .flatMap((suite) => [`ECDHE-ECDSA-${suite}`, `ECDHE-RSA-${suite}`])
  .join(':');

export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** A certificate chain and its private key, both PEM, checked to match. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
  readonly validTo: Date;
}

/** Reads and checks both files. Throws a StartError that names the file with the problem and says what to do. */
export function readTlsPair(files: TlsFiles): TlsPair {
  return checkPair(readPems(files), files);
}

type Pems = Pick<TlsPair, 'cert' | 'key'>;

function readPems(files: TlsFiles): Pems {
  return { cert: readPem(files.certFile, 'HUB_TLS_CERT_FILE'), key: readPem(files.keyFile, 'HUB_TLS_KEY_FILE') };
}

function checkPair({ cert, key }: Pems, files: TlsFiles): TlsPair {
  const certificate = parseCertificate(cert, files.certFile);
  if (!certificate.checkPrivateKey(parseKey(key, files.keyFile))) {
    throw new StartError(
      `The key in ${files.keyFile} (HUB_TLS_KEY_FILE) does not match the first certificate in ${files.certFile} (HUB_TLS_CERT_FILE). Use the key that the certificate was issued for. In a chain, the server's own certificate must come first.`,
    );
  }
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new StartError(
      `The certificate chain in ${files.certFile} (HUB_TLS_CERT_FILE) is damaged: ${causeOf(error)}.`,
    );
  }
  return { cert, key, validTo: certificate.validToDate };
}

function readPem(path: string, variable: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new StartError(
      `Cannot read ${path} (${variable}): ${causeOf(error)}. Check the path, and that this user can read the file.`,
    );
  }
}

function parseCertificate(pem: string, path: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw new StartError(`${path} (HUB_TLS_CERT_FILE) contains no PEM certificate (-----BEGIN CERTIFICATE-----).`);
  }
}

function parseKey(pem: string, path: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (error) {
    const reason =
      causeOf(error) === 'ERR_MISSING_PASSPHRASE'
        ? 'is protected by a passphrase. Remove it with: openssl pkey -in locked.pem -out key.pem'
        : 'contains no PEM private key (-----BEGIN PRIVATE KEY-----).';
    throw new StartError(`${path} (HUB_TLS_KEY_FILE) ${reason}`);
  }
}

interface TlsWatchOptions {
  readonly files: TlsFiles;
  readonly initial: TlsPair;
  readonly log: Log;
  readonly onChange: (pair: TlsPair) => Promise<void>;
}

/**
 * Returns a function that reports a new valid pair. Reading works for renames, swapped links (certbot, Kubernetes) and
 * network file systems alike, unlike watching. The files seldom change at the same instant, so a mismatch is reported
 * at the next check, and once.
 */
export function tlsChangeCheck({ files, initial, log, onChange }: TlsWatchOptions): () => Promise<void> {
  let serving = initial;
  let broken = '';
  let isReported = false;

  return async () => {
    try {
      const pems = readPems(files);
      const isSame = pems.cert === serving.cert && pems.key === serving.key;
      const pair = isSame ? serving : checkPair(pems, files);
      broken = '';
      if (isSame) return;
      serving = pair;
      await onChange(pair);
      log.info({ validTo: pair.validTo.toISOString() }, 'TLS certificate reloaded');
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      if (error.message !== broken) isReported = false;
      else if (!isReported) {
        isReported = true;
        log.warn({ reason: error.message }, 'The new TLS files are invalid; keeping the old certificate');
      }
      broken = error.message;
    }
  };
}
