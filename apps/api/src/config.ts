import { join } from 'node:path';
import * as schemas from './config-schemas.ts';
import { Fault, type Schema } from './config-schemas.ts';
import { nearestWord } from './nearest-word.ts';

interface Setting<T, D> {
  readonly name: string;
  /** Markdown for docs/configuration.md, which is generated from this table. */
  readonly doc: string;
  readonly schema: Schema<T>;
  readonly default: D;
  /** How the default reads in the documentation, where `null` needs a word. */
  readonly defaultDoc?: string;
  /** A secret may also be given as NAME_FILE, and its value is never shown. */
  readonly secret?: true;
}

function setting<T, const D extends T | null>(definition: Setting<T, D>): Setting<T, D> {
  return definition;
}

/** Every setting there is. Nothing else in the program decides a name, a default or what is valid. */
export const settings = {
  dataDir: setting({
    name: 'HUB_DATA_DIR',
    doc: 'Where everything is kept: the database, its snapshots, the admin socket. Made with mode 0700 if it is missing. One server at a time can use it.',
    schema: schemas.filePath,
    default: './data',
  }),
  host: setting({
    name: 'HUB_HOST',
    doc: 'The address to listen on. `127.0.0.1` serves this machine only, `0.0.0.0` every IPv4 interface, `::` every IPv6 and IPv4 interface. Beyond this machine, use TLS or a proxy that does.',
    schema: schemas.host,
    default: '127.0.0.1',
  }),
  port: setting({
    name: 'HUB_PORT',
    doc: 'The TCP port to listen on.',
    schema: schemas.port,
    default: 3000,
  }),
  baseUrl: setting({
    name: 'HUB_BASE_URL',
    doc: 'The address at which people reach the server. Links are made from it, and browsers must come from it. Set it when the server is behind a proxy; without it, the `Host` of each request counts.',
    schema: schemas.origin,
    default: null,
  }),
  tlsCertFile: setting({
    name: 'HUB_TLS_CERT_FILE',
    doc: 'The certificate chain (PEM) to serve HTTPS with, together with `HUB_TLS_KEY_FILE`. Both files are read again when they change.',
    schema: schemas.filePath,
    default: null,
  }),
  tlsKeyFile: setting({
    name: 'HUB_TLS_KEY_FILE',
    doc: 'The private key (PEM, without a passphrase) of the certificate.',
    schema: schemas.filePath,
    default: null,
  }),
  trustedProxies: setting({
    name: 'HUB_TRUSTED_PROXIES',
    doc: 'The proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed. From anyone else the two headers are ignored.',
    schema: schemas.addressRanges,
    default: [],
    defaultDoc: 'none',
  }),
  adminSocket: setting({
    name: 'HUB_ADMIN_SOCKET',
    doc: 'The unix socket through which `hubctl` on this machine administers the server without a login (mode 0600). The path may have at most 107 bytes on Linux, 103 on macOS.',
    schema: schemas.filePath,
    default: null,
    defaultDoc: '`admin.sock` in `HUB_DATA_DIR`',
  }),
  logLevel: setting({
    name: 'HUB_LOG_LEVEL',
    doc: 'The least important kind of log record that is written (JSON, on standard output).',
    schema: schemas.oneOf('debug', 'info', 'warn', 'error'),
    default: 'info',
  }),
  metricsToken: setting({
    name: 'HUB_METRICS_TOKEN',
    doc: 'If set, `GET /metrics` answers on the public listener to requests with `Authorization: Bearer <token>`. Otherwise the metrics can be read over the admin socket alone.',
    schema: schemas.bearerSecret,
    default: null,
    secret: true,
  }),
};

type Settings = typeof settings;
type Values = {
  readonly [Key in keyof Settings]: ReturnType<Settings[Key]['schema']['parse']> | Settings[Key]['default'];
};

export type LogLevel = Values['logLevel'];

/** The validated configuration. Paths are as they were given, relative ones relative to the working directory. */
export interface Config extends Omit<Values, 'tlsCertFile' | 'tlsKeyFile' | 'adminSocket'> {
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
  readonly adminSocket: string;
  /** What is odd but no reason to refuse: whole sentences for people. */
  readonly warnings: readonly string[];
}

/** All that is wrong with the configuration at once; `message` has one line per fault. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(['The configuration cannot be used:', ...faults.map((fault) => `  - ${fault}`)].join('\n'));
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfigSources {
  /** Reads a whole text file; throws if it cannot. */
  readonly readFile: (path: string) => string;
  /** As in process.platform. */
  readonly platform: string;
}

/** Reads and validates the environment. Throws one ConfigError that names every fault and what to change. */
export function readConfig(env: Environment, sources: ConfigSources): Config {
  const faults: string[] = [];
  const entries = Object.entries(settings).map(([key, definition]) => {
    try {
      const text = textOf(definition, env, sources);
      return [key, text === null ? definition.default : definition.schema.parse(text)];
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      faults.push(`${definition.name} ${error.message}.`);
      return [key, definition.default];
    }
  });
  const { tlsCertFile, tlsKeyFile, ...values } = Object.fromEntries(entries) as Values;
  const adminSocket = values.adminSocket ?? defaultAdminSocket(values.dataDir);
  faults.push(...socketPathFaults(adminSocket, sources.platform), ...tlsFaults(tlsCertFile, tlsKeyFile));
  if (faults.length > 0) throw new ConfigError(faults);
  const tls = tlsCertFile && tlsKeyFile ? { certFile: tlsCertFile, keyFile: tlsKeyFile } : null;
  return { ...values, tls, adminSocket, warnings: unknownVariables(env) };
}

/** Where the admin socket is unless HUB_ADMIN_SOCKET says otherwise. */
export function defaultAdminSocket(dataDir: string): string {
  return join(dataDir, 'admin.sock');
}

/** A variable that is set to nothing counts as not set: compose files and CI pass such. */
function given(env: Environment, name: string): string | null {
  return env[name]?.trim() || null;
}

function textOf(definition: Setting<unknown, unknown>, env: Environment, sources: ConfigSources): string | null {
  const text = given(env, definition.name);
  const file = definition.secret ? given(env, `${definition.name}_FILE`) : null;
  if (file === null) return text;
  if (text !== null) throw new Fault(`and ${definition.name}_FILE are both set: keep one of the two`);
  let content: string;
  try {
    content = sources.readFile(file);
  } catch (error) {
    throw new Fault(`cannot be read from the file in ${definition.name}_FILE: ${(error as Error).message}`);
  }
  const secret = content.replace(/\r?\n$/, '');
  if (secret === '') throw new Fault(`is empty: put the secret into ${file}, the file in ${definition.name}_FILE`);
  return secret;
}

/** The size of sun_path in sockaddr_un, less its closing NUL (unix(7) on Linux, unix(4) on macOS and the BSDs). */
function socketPathFaults(path: string, platform: string): string[] {
  const limit = platform === 'linux' ? 107 : 103;
  const length = Buffer.byteLength(path);
  if (length <= limit) return [];
  return [
    `The path of the admin socket, ${path}, has ${length} bytes, and this system allows ${limit}: set HUB_ADMIN_SOCKET to a shorter path, such as /run/hub/admin.sock.`,
  ];
}

function tlsFaults(certFile: string | null, keyFile: string | null): string[] {
  if ((certFile === null) === (keyFile === null)) return [];
  const [present, absent] = certFile ? ['CERT', 'KEY'] : ['KEY', 'CERT'];
  return [`HUB_TLS_${absent}_FILE is missing: HTTPS needs it beside HUB_TLS_${present}_FILE; set both or neither.`];
}

/** What hubctl and the client read, which may stand in the same environment. */
const NAMES_OF_HUBCTL = ['HUB_URL', 'HUB_API_KEY'];

function unknownVariables(env: Environment): string[] {
  const names = Object.values(settings).flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]));
  const known = new Set([...names, ...NAMES_OF_HUBCTL]);
  return Object.keys(env)
    .filter((name) => name.startsWith('HUB_') && !known.has(name))
    .sort()
    .map((name) => {
      const meant = nearestWord(name, names);
      return `${name} is not a setting of the server and is ignored${meant ? `; did you mean ${meant}?` : '.'}`;
    });
}
