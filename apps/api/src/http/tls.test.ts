import { describe, expect, test } from 'bun:test';
import { createPrivateKey } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pemOf, type TestCertificate, tlsFolder } from '@hub/testkit/in-process/listening';
import { StartError } from '../platform/errors.ts';
import type { Log } from '../platform/ports.ts';
import { readTlsPair, type TlsFiles, type TlsPair, tlsChangeCheck } from './tls.ts';

const certOf = (certificate: TestCertificate): string => readFileSync(pemOf(certificate, 'cert'), 'utf8');

describe('a certificate and key', () => {
  test('that match are read, with their expiry date', () => {
    using tls = tlsFolder();
    expect(readTlsPair(tls.files)).toMatchObject({ cert: certOf('first'), validTo: expect.any(Date) });
  });

  test('that do not match are rejected with both file names', () => {
    using tls = tlsFolder();
    tls.put('second', 'key');
    expect(() => readTlsPair(tls.files)).toThrow(StartError);
    expect(() => readTlsPair(tls.files)).toThrow(
      /The key in .*key\.pem \(HUB_TLS_KEY_FILE\) does not match .*cert\.pem/,
    );
  });

  test.each([
    ['certFile', 'HUB_TLS_CERT_FILE', 'contains no PEM certificate'],
    ['keyFile', 'HUB_TLS_KEY_FILE', 'contains no PEM private key'],
  ] as const)('with an invalid %s are rejected', (file, variable, reason) => {
    using tls = tlsFolder();
    writeFileSync(tls.files[file], 'garbage');
    expect(() => readTlsPair(tls.files)).toThrow(`${tls.files[file]} (${variable}) ${reason}`);
  });

  test.each([
    ['certFile', 'HUB_TLS_CERT_FILE'],
    ['keyFile', 'HUB_TLS_KEY_FILE'],
  ] as const)('with a missing %s are rejected', (file, variable) => {
    using tls = tlsFolder();
    unlinkSync(tls.files[file]);
    expect(() => readTlsPair(tls.files)).toThrow(`Cannot read ${tls.files[file]} (${variable}): ENOENT.`);
  });

  test('with a truncated chain are rejected', () => {
    using tls = tlsFolder();
    writeFileSync(tls.files.certFile, certOf('first') + certOf('second').slice(0, 300));
    expect(() => readTlsPair(tls.files)).toThrow('(HUB_TLS_CERT_FILE) is damaged');
  });

  test('with a passphrase-protected key are rejected with the command that removes it', () => {
    using tls = tlsFolder();
    const key = createPrivateKey(readFileSync(tls.files.keyFile, 'utf8'));
    const locked = key.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'open sesame' });
    writeFileSync(tls.files.keyFile, locked);
    expect(() => readTlsPair(tls.files)).toThrow(/HUB_TLS_KEY_FILE\) is protected by a passphrase.*openssl pkey/);
  });
});

/** Checks the files once. Records the reported changes and warnings. */
function watch(files: TlsFiles) {
  const changes: TlsPair[] = [];
  const warnings: string[] = [];
  const log: Log = { debug() {}, info() {}, error() {}, warn: (fields) => warnings.push(JSON.stringify(fields)) };
  const check = tlsChangeCheck({
    files,
    initial: readTlsPair(files),
    log,
    onChange: async (pair) => {
      changes.push(pair);
    },
  });
  return { check, changes, warnings };
}

describe('a change of the TLS files', () => {
  test('is reported once, and nothing is reported when nothing has changed', async () => {
    using tls = tlsFolder();
    const { check, changes } = watch(tls.files);
    await check();
    expect(changes).toEqual([]);
    tls.put('second', 'cert', 'key');
    await check();
    await check();
    expect(changes.map((pair) => pair.cert)).toEqual([certOf('second')]);
  });

  test('is noticed when symbolic links are swapped, as Kubernetes does', async () => {
    using tls = tlsFolder();
    for (const certificate of ['first', 'second'] as const) {
      mkdirSync(join(tls.folder, certificate));
      symlinkSync(pemOf(certificate, 'cert'), join(tls.folder, certificate, 'tls.crt'));
      symlinkSync(pemOf(certificate, 'key'), join(tls.folder, certificate, 'tls.key'));
    }
    symlinkSync('first', join(tls.folder, '..data'));
    const files = { certFile: join(tls.folder, '..data/tls.crt'), keyFile: join(tls.folder, '..data/tls.key') };
    const { check, changes } = watch(files);
    symlinkSync('second', join(tls.folder, '..data_tmp'));
    renameSync(join(tls.folder, '..data_tmp'), join(tls.folder, '..data'));
    await check();
    expect(changes.map((pair) => pair.cert)).toEqual([certOf('second')]);
  });

  test('is not reported as an error while only one of the two files has changed', async () => {
    using tls = tlsFolder();
    const { check, changes, warnings } = watch(tls.files);
    tls.put('second', 'cert');
    await check();
    tls.put('second', 'key');
    await check();
    expect(warnings).toEqual([]);
    expect(changes).toHaveLength(1);
  });

  test('to an invalid pair keeps the old one and warns once', async () => {
    using tls = tlsFolder();
    const { check, changes, warnings } = watch(tls.files);
    tls.put('second', 'cert');
    for (let look = 0; look < 4; look += 1) await check();
    expect(changes).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('does not match')]);

    tls.put('first', 'cert');
    await check();
    expect(changes).toEqual([]);
    tls.put('second', 'cert');
    for (let look = 0; look < 4; look += 1) await check();
    expect(warnings).toHaveLength(2);
  });
});
