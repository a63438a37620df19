import { join } from 'node:path';
import { nearestWord } from '@hub/contract/nearest-word';
import * as schemas from './config-schemas.ts';
import { ConfigProblem, type Schema } from './config-schemas.ts';

export interface Setting<T, D> {
  readonly name: string;
  /** Markdown for docs/configuration.md, which is generated from this table. */
  readonly doc: string;
  readonly schema: Schema<T>;
  readonly default: D;
  /** How the documentation describes the default, if it is `null` or a list. */
  readonly defaultDoc?: string;
  /** A secret may also be given as NAME_FILE, and its value is never shown. */
  readonly secret?: true;
}

function setting<T, const D extends T | null>(definition: Setting<T, D>): Setting<T, D> {
  return definition;
}

/** All settings. This is the only definition of their names, defaults and valid values. */
export const settings = {
  dataDir: setting({
    name: 'HUB_DATA_DIR',
    doc: 'The data directory: it holds the database, its snapshots and the admin socket. The server creates it with mode 0700 if it does not exist. Only one server at a time can use it.',
    schema: schemas.filePath,
    default: './data',
  }),
  databaseUrl: setting({
    name: 'HUB_DATABASE_URL',
    doc: 'The PostgreSQL database (version 15 or newer) that holds the workspace, so that [several nodes](postgresql.md) can serve it. Without it, the workspace is in a SQLite file in `HUB_DATA_DIR`, which one server uses.',
    schema: schemas.databaseUrl,
    default: null,
    secret: true,
  }),
  databasePool: setting({
    name: 'HUB_DATABASE_POOL',
    doc: 'How many connections to PostgreSQL this node opens at most ([what they are for](postgresql.md#connections)). `max_connections` of PostgreSQL must be more than the sum over all nodes.',
    schema: schemas.integerBetween(10, 1_000),
    default: 26,
  }),
  host: setting({
    name: 'HUB_HOST',
    doc: 'The address to listen on. `127.0.0.1` serves this machine only, `0.0.0.0` every IPv4 interface, `::` every IPv6 and IPv4 interface. Beyond this machine, use TLS or a proxy that provides it.',
    schema: schemas.host,
    default: '127.0.0.1',
  }),
  port: setting({ name: 'HUB_PORT', doc: 'The TCP port to listen on.', schema: schemas.port, default: 3000 }),
  baseUrl: setting({
    name: 'HUB_BASE_URL',
    doc: 'The address at which members reach the server. Links begin with it, and the `Origin` that browsers send must match it. Set it when the server is behind a proxy; without it, the server uses the `Host` of each request.',
    schema: schemas.origin,
    default: null,
  }),
  tlsCertFile: setting({
    name: 'HUB_TLS_CERT_FILE',
    doc: 'The certificate chain (PEM) for HTTPS. Set it together with `HUB_TLS_KEY_FILE`. The server rereads both files when they change.',
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
    doc: 'The proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` headers the server trusts. From any other address, it ignores both headers.',
    schema: schemas.addressRanges,
    default: [],
    defaultDoc: 'none',
  }),
  adminSocket: setting({
    name: 'HUB_ADMIN_SOCKET',
    doc: 'The unix socket through which `hubctl` on this machine administers the server without a login (mode 0600). The path can be at most 107 bytes long on Linux and 103 on macOS.',
    schema: schemas.filePath,
    default: null,
    defaultDoc: '`admin.sock` in `HUB_DATA_DIR`',
  }),
  logLevel: setting({
    name: 'HUB_LOG_LEVEL',
    doc: 'The lowest level of log records that the server writes to standard output.',
    schema: schemas.oneOf('debug', 'info', 'warn', 'error'),
    default: 'info',
  }),
  logFormat: setting({
    name: 'HUB_LOG',
    doc: 'How the server writes log records: `json` is complete and for programs, `text` is short and for people ([examples](operations.md#the-log)).',
    schema: schemas.oneOf('json', 'text'),
    default: null,
    defaultDoc: '`text` on a terminal, otherwise `json`',
  }),
  push: setting({
    name: 'HUB_PUSH',
    doc: "Whether the server sends push notifications to browsers without an open page ([details](notifications.md)). Browsers' push services are external hosts that the server must be able to reach over https. They see when a browser gets a notification, but not its content. Browsers subscribe only if the pages are served over https. `local` is for development: it also allows push services on this machine or without https.",
    schema: schemas.oneOf('on', 'off', 'local'),
    default: 'on',
  }),
  pushContact: setting({
    name: 'HUB_PUSH_CONTACT',
    doc: 'Where push services can reach you if something is wrong with the notifications of this server. Some reject notifications without a contact. Without this setting, it is the https address of the server: `HUB_BASE_URL`, or the one with which a browser subscribed.',
    schema: schemas.contactUrl,
    default: null,
    defaultDoc: 'the https address of the server',
  }),
  maxKeysPerHub: setting({
    name: 'HUB_MAX_KEYS_PER_HUB',
    doc: "How many active API keys a Hub can have: keys that are neither revoked nor expired, and have no successor. Beyond that, issuing a key returns 409. Rotating and replacing keys always works. `hubctl` on the server's machine is exempt.",
    schema: schemas.integerBetween(1, 1_000_000),
    default: 100,
  }),
  maxLiveConnections: setting({
    name: 'HUB_MAX_LIVE_CONNECTIONS',
    doc: "How many [live connections](live.md#open-a-connection) a user can have at the same time, across all of their sessions and tokens. Further connections get 429 with `Retry-After`. `hubctl` on the server's machine is exempt.",
    schema: schemas.integerBetween(1, 1_000_000),
    default: 20,
  }),
  maxRequestsPerMinute: setting({
    name: 'HUB_MAX_REQUESTS_PER_MINUTE',
    doc: "How many requests to `/api/v1` a user can send within any 60 seconds. Requests from sessions and from tokens are counted separately, so that a program does not block the web app. Further requests get 429 with `Retry-After`. `hubctl` on the server's machine is exempt. API keys have [their own limit](public-api.md).",
    schema: schemas.integerBetween(1, 1_000_000),
    default: 1_200,
  }),
  drainSeconds: setting({
    name: 'HUB_DRAIN_SECONDS',
    doc: 'How long a stopping server still serves requests while `GET /readyz` returns 503, so that a load balancer takes it out before its port closes. Set it to a little more than the interval of the health checks times the failures that the balancer waits for. Without a load balancer, leave it at 0.',
    schema: schemas.integerBetween(0, 300),
    default: 0,
  }),
  metricsToken: setting({
    name: 'HUB_METRICS_TOKEN',
    doc: 'If set, the public listener serves `GET /metrics` to requests with `Authorization: Bearer <token>`. Otherwise, only the admin socket serves the metrics.',
    schema: schemas.bearerSecret,
    default: null,
    secret: true,
  }),
};

type Settings = typeof settings;
/** The value of each setting. */
export type Values = {
  readonly [Key in keyof Settings]: ReturnType<Settings[Key]['schema']['parse']> | Settings[Key]['default'];
};

export type LogLevel = Values['logLevel'];
export type LogFormat = NonNullable<Values['logFormat']>;

/** The validated configuration. Paths are as given; relative paths are relative to the working directory. */
export interface Config extends Omit<Values, 'tlsCertFile' | 'tlsKeyFile' | 'adminSocket'> {
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
  readonly adminSocket: string;
  /** Suspicious but valid settings, as whole sentences for the user. */
  readonly warnings: readonly string[];
}

/** All problems in the configuration. `message` has one line per problem, followed by the warnings. */
export class ConfigError extends Error {
  constructor(
    readonly problems: readonly string[],
    warnings: readonly string[] = [],
  ) {
    const list = (lines: readonly string[]) => lines.map((line) => `  - ${line}`);
    const warningLines = warnings.length > 0 ? ['Also check:', ...list(warnings)] : [];
    super(['Invalid configuration:', ...list(problems), ...warningLines].join('\n'));
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

interface ConfigSources {
  readonly readFile: (path: string) => string;
  readonly platform: string;
}

/** Reads and validates the environment. Throws one ConfigError with all problems and what to change. */
export function readConfig(env: Environment, sources: ConfigSources): Config {
  const problems: string[] = [];
  const entries = Object.entries(settings).map(([key, definition]) => {
    try {
      const text = textOf(definition, env, sources);
      if (isSetTwice(definition, env)) {
        problems.push(`${definition.name} and ${definition.name}_FILE are both set: keep only one.`);
      }
      return [key, text === null ? definition.default : definition.schema.parse(text)];
    } catch (error) {
      if (!(error instanceof ConfigProblem)) throw error;
      problems.push(`${definition.name} ${error.message}.`);
      return [key, definition.default];
    }
  });
  const { tlsCertFile, tlsKeyFile, ...values } = Object.fromEntries(entries) as Values;
  const adminSocket = values.adminSocket ?? defaultAdminSocket(values.dataDir);
  problems.push(...socketPathProblems(adminSocket, sources.platform), ...tlsProblems(tlsCertFile, tlsKeyFile));
  const warnings = unknownVariables(env);
  if (problems.length > 0) throw new ConfigError(problems, warnings);
  const tls = tlsCertFile && tlsKeyFile ? { certFile: tlsCertFile, keyFile: tlsKeyFile } : null;
  const isBehindUnknownProxy =
    tls === null && values.baseUrl?.startsWith('https:') && values.trustedProxies.length === 0;
  if (isBehindUnknownProxy) warnings.push(UNKNOWN_PROXY);
  return { ...values, tls, adminSocket, warnings };
}

const UNKNOWN_PROXY =
  'HUB_BASE_URL is an https address, but HUB_TRUSTED_PROXIES is not set. All clients then share the address of the proxy, ' +
  'and one that sends wrong keys slows down the others. Set it to the address of the proxy.';

/** The path of the admin socket if HUB_ADMIN_SOCKET is not set. */
export function defaultAdminSocket(dataDir: string): string {
  return join(dataDir, 'admin.sock');
}

/** Returns the value of a variable, or null if it is unset or empty: compose files and CI pass empty variables. */
function readVariable(env: Environment, name: string): string | null {
  return env[name]?.trim() || null;
}

function isSetTwice({ name, secret }: Setting<unknown, unknown>, env: Environment): boolean {
  return secret === true && readVariable(env, name) !== null && readVariable(env, `${name}_FILE`) !== null;
}

function textOf(definition: Setting<unknown, unknown>, env: Environment, sources: ConfigSources): string | null {
  const text = readVariable(env, definition.name);
  const file = definition.secret ? readVariable(env, `${definition.name}_FILE`) : null;
  if (file === null || text !== null) return text;
  let content: string;
  try {
    content = sources.readFile(file);
  } catch (error) {
    throw new ConfigProblem(
      `cannot be read from the file named in ${definition.name}_FILE: ${(error as Error).message}`,
    );
  }
  const secret = content.replace(/\r?\n$/, '');
  if (secret === '')
    throw new ConfigProblem(`is empty: write the secret to ${file}, the file named in ${definition.name}_FILE`);
  return secret;
}

/** The limit is the size of sun_path in sockaddr_un minus the final NUL (Linux: unix(7); macOS and BSD: unix(4)). */
function socketPathProblems(path: string, platform: string): string[] {
  const limit = platform === 'linux' ? 107 : 103;
  const length = Buffer.byteLength(path);
  if (length <= limit) return [];
  return [
    `The admin socket path ${path} has ${length} bytes, but this system allows at most ${limit}: set HUB_ADMIN_SOCKET to a shorter path, such as /run/hub/admin.sock.`,
  ];
}

function tlsProblems(certFile: string | null, keyFile: string | null): string[] {
  if ((certFile === null) === (keyFile === null)) return [];
  const [present, absent] = certFile ? ['CERT', 'KEY'] : ['KEY', 'CERT'];
  return [
    `HUB_TLS_${absent}_FILE is missing: HTTPS needs it together with HUB_TLS_${present}_FILE; set both or neither.`,
  ];
}

/** Variables of hubctl and the client package, which can be in the same environment. */
const HUBCTL_VARIABLES = ['HUB_URL', 'HUB_API_KEY', 'HUB_PROFILE', 'HUB_TOKEN', 'HUB_OUTBOX'];

function unknownVariables(env: Environment): string[] {
  const names = Object.values(settings).flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]));
  const knownNames = new Set([...names, ...HUBCTL_VARIABLES]);
  return Object.keys(env)
    .filter((name) => name.startsWith('HUB_') && !knownNames.has(name))
    .sort()
    .map((name) => {
      const suggestion = names.find((setting) => setting.startsWith(`${name}_`)) ?? nearestSetting(name, names);
      return `${name} is not a server setting and is ignored${suggestion ? `; did you mean ${suggestion}?` : '.'}`;
    });
}

/** Compares names without the prefix that all have in common, which would make any two of them similar. */
function nearestSetting(name: string, names: readonly string[]): string | undefined {
  const withoutPrefix = (setting: string) => setting.replace(/^HUB_/, '');
  const nearest = nearestWord(withoutPrefix(name), names.map(withoutPrefix));
  return nearest && `HUB_${nearest}`;
}
