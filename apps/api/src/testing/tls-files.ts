import { copyFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Two self-signed certificates for localhost, valid for a hundred years; their keys protect nothing. */
export type TestCertificate = 'first' | 'second';

export function pemOf(certificate: TestCertificate, part: 'cert' | 'key'): string {
  return join(import.meta.dir, 'tls', `${certificate}-${part}.pem`);
}

/**
 * Creates a folder with a certificate and a key that a test can replace as common tools do: atomically, by renaming.
 */
export function tlsFolder(initial: TestCertificate = 'first') {
  const folder = mkdtempSync(join(tmpdir(), 'hub-tls-'));
  const files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };
  const replaceFile = (source: string, target: string): void => {
    copyFileSync(source, `${target}.new`);
    renameSync(`${target}.new`, target);
  };
  const put = (certificate: TestCertificate, ...parts: ('cert' | 'key')[]): void => {
    if (parts.includes('cert')) replaceFile(pemOf(certificate, 'cert'), files.certFile);
    if (parts.includes('key')) replaceFile(pemOf(certificate, 'key'), files.keyFile);
  };
  put(initial, 'cert', 'key');
  return { folder, files, put, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}
