import { join } from 'node:path';
import { nearestWord } from '@hub/contract/nearest-word';
import { ConfigProblem } from './config-schemas.ts';
import { type Setting, settings } from './settings.ts';

type Settings = typeof settings;
/** The value of each setting. */
export type Values = {
  readonly [Key in keyof Settings]: ReturnType<Settings[Key]['schema']['parse']> | Settings[Key]['default'];
};

export type LogLevel = Values['logLevel'];
export type LogFormat = NonNullable<Values['logFormat']>;

type ProviderKey = Extract<keyof Values, `oidc${string}`>;

/** How users sign in with an OpenID Connect provider. */
export type ProviderSettings = Readonly<Omit<Pick<Values, ProviderKey | 'passwordSignIn'>, RequiredProviderKey>> &
  Readonly<Record<RequiredProviderKey, string>>;
type RequiredProviderKey = 'oidcIssuer' | 'oidcClientId' | 'oidcClientSecret';

/** The validated configuration. Paths are as given; relative paths are relative to the working directory. */
export interface Config
  extends Omit<Values, 'tlsCertFile' | 'tlsKeyFile' | 'adminSocket' | ProviderKey | 'passwordSignIn'> {
  /** `null` if users sign in with a password only. */
  readonly provider: ProviderSettings | null;
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
  const { tlsCertFile, tlsKeyFile, ...all } = Object.fromEntries(entries) as Values;
  const { values, provider } = withProvider(all);
  const adminSocket = values.adminSocket ?? defaultAdminSocket(values.dataDir);
  problems.push(...socketPathProblems(adminSocket, sources.platform), ...tlsProblems(tlsCertFile, tlsKeyFile));
  problems.push(...providerProblems(provider));
  // A setting that is invalid is not missing.
  if (problems.length === 0) problems.push(...mailProblems(values));
  const warnings = unknownVariables(env);
  if (problems.length > 0) throw new ConfigError(problems, warnings);
  const tls = tlsCertFile && tlsKeyFile ? { certFile: tlsCertFile, keyFile: tlsKeyFile } : null;
  const isBehindUnknownProxy =
    tls === null && values.baseUrl?.startsWith('https:') && values.trustedProxies.length === 0;
  if (isBehindUnknownProxy) warnings.push(UNKNOWN_PROXY);
  return {
    ...values,
    provider: provider.oidcIssuer === null ? null : (provider as ProviderSettings),
    tls,
    adminSocket,
    warnings,
  };
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

type AnyProvider = Pick<Values, ProviderKey | 'passwordSignIn'>;

/** Separates the settings of the provider from all others. */
function withProvider<V extends Omit<Values, 'tlsCertFile' | 'tlsKeyFile'>>(all: V) {
  const isOfProvider = ([key]: [string, unknown]) => key.startsWith('oidc') || key === 'passwordSignIn';
  const entries = Object.entries(all);
  return {
    values: Object.fromEntries(entries.filter((entry) => !isOfProvider(entry))) as Omit<V, keyof AnyProvider>,
    provider: Object.fromEntries(entries.filter(isOfProvider)) as AnyProvider,
  };
}

function providerProblems({ oidcIssuer, oidcClientId, oidcClientSecret, passwordSignIn }: AnyProvider): string[] {
  const together = {
    HUB_OIDC_ISSUER: oidcIssuer,
    HUB_OIDC_CLIENT_ID: oidcClientId,
    HUB_OIDC_CLIENT_SECRET: oidcClientSecret,
  };
  const missing = Object.entries(together).flatMap(([name, value]) => (value ? [] : [name]));
  if (missing.length === 3)
    return passwordSignIn === 'off'
      ? ['HUB_PASSWORD_SIGN_IN is off, so nobody could sign in: set HUB_OIDC_ISSUER to a provider, or leave it on.']
      : [];
  return missing.map(
    (name) => `${name} is missing: signing in with a provider needs its issuer, client id and client secret.`,
  );
}

function mailProblems({ smtpUrl, mailFrom, baseUrl }: Pick<Values, 'smtpUrl' | 'mailFrom' | 'baseUrl'>): string[] {
  if (smtpUrl === null)
    return mailFrom === null ? [] : ['HUB_SMTP_URL is missing: without a mail server, HUB_MAIL_FROM has no effect.'];
  const missing = { HUB_MAIL_FROM: mailFrom, HUB_BASE_URL: baseUrl };
  return Object.entries(missing).flatMap(([name, value]) =>
    value === null
      ? [`${name} is missing: mails need a sender, and links that begin with the address of the server.`]
      : [],
  );
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
