import { join } from 'node:path';

/** Two self-signed certificates for localhost, valid for a hundred years; their keys protect nothing. */
export type TestCertificate = 'first' | 'second';

export function pemOf(certificate: TestCertificate, part: 'cert' | 'key'): string {
  return join(import.meta.dir, 'tls', `${certificate}-${part}.pem`);
}
