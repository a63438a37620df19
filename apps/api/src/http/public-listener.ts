import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP, isIPv6 } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { Config } from '../platform/config.ts';
import { causeOf, StartError } from '../platform/errors.ts';
import type { CertificateStatus, Clock, Log } from '../platform/ports.ts';
import { repeat } from '../platform/repeat.ts';
import { type AnnouncedHandler, QUIET_SECONDS } from './announce-connection.ts';

const TLS_CHECK_MS = 2_000;
const REBIND_MS = 500;

export interface ServeOptions<Data> {
  readonly fetch: AnnouncedHandler<Data>;
  readonly websocket: Bun.WebSocketHandler<Data>;
  readonly development: false;
  readonly maxRequestBodySize: number;
}

interface PublicListenerOptions<Data> {
  readonly config: Pick<Config, 'host' | 'port'> & Addressing;
  readonly tls: { readonly files: TlsFiles; readonly pair: TlsPair } | null;
  readonly serve: ServeOptions<Data>;
  readonly clock: Clock;
  readonly log: Log;
}

export type PublicListener = ReturnType<typeof openPublicListener>;

/**
 * Opens the TCP listener. Bun's `reload` ignores a new certificate, so it needs a new server, which takes the port once
 * the old one has released it. The old one finishes its requests and WebSockets. Connections being opened are refused.
 */
export function openPublicListener<Data>(options: PublicListenerOptions<Data>) {
  const { config, tls, serve, clock, log } = options;
  let isStopped = false;
  let stopWatching = async (): Promise<void> => {};
  let pair = tls?.pair ?? null;

  const start = (port: number): Bun.Server<Data> =>
    Bun.serve<Data>({
      ...serve,
      hostname: config.host,
      port,
      reusePort: false,
      idleTimeout: QUIET_SECONDS,
      ...(pair ? { tls: { cert: pair.cert, key: pair.key, ciphers: TLS_CIPHERS } } : {}),
    });
  const bind = (): Bun.Server<Data> => {
    try {
      return start(config.port);
    } catch (error) {
      throw bindError(error, config);
    }
  };

  let current = bind();
  const port = current.port ?? config.port;
  /** Every server that still has connections, including the current one. */
  const servers = new Set([current]);

  const replace = async (): Promise<void> => {
    const former = current;
    void former.stop().then(() => servers.delete(former));
    while (!isStopped) {
      try {
        current = start(port);
        servers.add(current);
        return;
      } catch (error) {
        log.error({ err: error, port }, 'Failed to bind the port after a certificate change; retrying');
        await clock.sleep(REBIND_MS);
      }
    }
  };

  if (tls) {
    const check = tlsChangeCheck({
      files: tls.files,
      initial: tls.pair,
      log,
      onChange: (changed) => {
        pair = changed;
        const { problem } = certificateStatus(changed, config, clock.now());
        if (problem !== null) log.warn({}, problem);
        return replace();
      },
    });
    stopWatching = repeat({ clock, log }, { everyMs: TLS_CHECK_MS, failure: 'Failed to check the TLS files' }, check);
  }

  return {
    localUrl: localUrl(tls ? 'https' : 'http', config.host, port),
    port,
    get pendingRequests() {
      return [...servers].reduce((sum, server) => sum + server.pendingRequests, 0);
    },
    /** The certificate that new connections get, or `null` without TLS. */
    certificate: () => pair && certificateStatus(pair, config, clock.now()),
    publish(topic: string, data: string, compress: boolean): void {
      for (const server of servers) server.publish(topic, data, compress);
    },
    async stop(closeActive = false): Promise<void> {
      isStopped = true;
      void stopWatching();
      await Promise.all([...servers].map((server) => server.stop(closeActive)));
    },
  };
}

/** Returns a URL that works on this machine, even if the listener is on every interface. */
function localUrl(scheme: string, host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return new URL(`${scheme}://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`).origin;
}

function bindError(error: unknown, { host, port }: Pick<Config, 'host' | 'port'>): StartError {
  const code = causeOf(error);
  if (code === 'EADDRINUSE') {
    return new StartError(
      `Port ${port} on ${host} is in use by another program. Stop that program, or set HUB_PORT to a free port.`,
    );
  }
  if (code === 'EADDRNOTAVAIL' || code === 'EINVAL') {
    return new StartError(
      `${host} is not an address of this machine. Set HUB_HOST to 127.0.0.1, 0.0.0.0, :: or one of its addresses.`,
    );
  }
  if (code === 'EACCES') {
    return new StartError(
      `This user is not allowed to listen on port ${port}. Set HUB_PORT to 1024 or higher, or grant CAP_NET_BIND_SERVICE.`,
    );
  }
  return new StartError(`Cannot listen on ${host}, port ${port}: ${code}. Check HUB_HOST and HUB_PORT.`);
}

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
  /** The server's own certificate: the first of the chain. */
  readonly certificate: X509Certificate;
}

type Addressing = Pick<Config, 'baseUrl' | 'trustedProxies'>;

const RENEWAL_MS = 14 * 86_400_000;

/** Returns when a certificate expires and what is wrong with it. A trusted proxy shows clients another certificate. */
export function certificateStatus(
  { certificate }: Pick<TlsPair, 'certificate'>,
  config: Addressing,
  now: number,
): CertificateStatus {
  const expiresAt = certificate.validToDate.getTime();
  const host = config.baseUrl && new URL(config.baseUrl).hostname.replace(/^\[(.*)\]$/, '$1');
  const isForHost = host && (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined;
  const subject = 'The certificate (HUB_TLS_CERT_FILE)';
  const day = certificate.validToDate.toISOString().slice(0, 10);
  let problem: string | null = null;
  if (expiresAt <= now) problem = `${subject} expired on ${day}: clients refuse to connect. Renew it.`;
  else if (host && !isForHost && config.trustedProxies.length === 0)
    problem = `${subject} is not for ${host}, the host of HUB_BASE_URL, but for ${certificate.subjectAltName ?? 'no host'}: clients refuse to connect. Use one that names ${host}.`;
  else if (expiresAt - now < RENEWAL_MS) problem = `${subject} expires on ${day}. Renew it.`;
  return { expiresAt, problem };
}

/** Reads and checks both files. Throws a StartError that names the file with the problem and says what to do. */
export function readTlsPair(files: TlsFiles): TlsPair {
  return checkPair(readPems(files), files);
}

type Pems = Omit<TlsPair, 'certificate'>;

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
  return { cert, key, certificate };
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
      log.info({ validTo: pair.certificate.validToDate.toISOString() }, 'TLS certificate reloaded');
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
