import { join } from 'node:path';
import { nearestWord } from '@hub/contract/nearest-word';
import { type Config, ConfigError, type Setting, settings, type Values } from './config.ts';
import { ConfigProblem } from './config-schemas.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfigSources {
  /** Reads a whole text file; throws if it cannot. */
  readonly readFile: (path: string) => string;
  /** As in process.platform. */
  readonly platform: string;
}

/** Reads and validates the environment. Throws one ConfigError that names every fault and what to change. */
export function readConfig(env: Environment, sources: ConfigSources): Config {
  const problems: string[] = [];
  const entries = Object.entries(settings).map(([key, definition]) => {
    try {
      const text = textOf(definition, env, sources);
      if (isGivenTwice(definition, env)) {
        problems.push(`${definition.name} and ${definition.name}_FILE are both set: keep one of the two.`);
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
  return { ...values, tls, adminSocket, warnings };
}

/** Where the admin socket is unless HUB_ADMIN_SOCKET says otherwise. */
export function defaultAdminSocket(dataDir: string): string {
  return join(dataDir, 'admin.sock');
}

/** A variable that is set to nothing counts as not set: compose files and CI pass such. */
function given(env: Environment, name: string): string | null {
  return env[name]?.trim() || null;
}

function isGivenTwice({ name, secret }: Setting<unknown, unknown>, env: Environment): boolean {
  return secret === true && given(env, name) !== null && given(env, `${name}_FILE`) !== null;
}

function textOf(definition: Setting<unknown, unknown>, env: Environment, sources: ConfigSources): string | null {
  const text = given(env, definition.name);
  const file = definition.secret ? given(env, `${definition.name}_FILE`) : null;
  if (file === null || text !== null) return text;
  let content: string;
  try {
    content = sources.readFile(file);
  } catch (error) {
    throw new ConfigProblem(`cannot be read from the file in ${definition.name}_FILE: ${(error as Error).message}`);
  }
  const secret = content.replace(/\r?\n$/, '');
  if (secret === '')
    throw new ConfigProblem(`is empty: put the secret into ${file}, the file in ${definition.name}_FILE`);
  return secret;
}

/** The size of sun_path in sockaddr_un, less its closing NUL (unix(7) on Linux, unix(4) on macOS and the BSDs). */
function socketPathProblems(path: string, platform: string): string[] {
  const limit = platform === 'linux' ? 107 : 103;
  const length = Buffer.byteLength(path);
  if (length <= limit) return [];
  return [
    `The path of the admin socket, ${path}, has ${length} bytes, and this system allows ${limit}: set HUB_ADMIN_SOCKET to a shorter path, such as /run/hub/admin.sock.`,
  ];
}

function tlsProblems(certFile: string | null, keyFile: string | null): string[] {
  if ((certFile === null) === (keyFile === null)) return [];
  const [present, absent] = certFile ? ['CERT', 'KEY'] : ['KEY', 'CERT'];
  return [`HUB_TLS_${absent}_FILE is missing: HTTPS needs it beside HUB_TLS_${present}_FILE; set both or neither.`];
}

/** What hubctl and the client read, which may stand in the same environment. */
const NAMES_OF_HUBCTL = ['HUB_URL', 'HUB_API_KEY', 'HUB_PROFILE'];

function unknownVariables(env: Environment): string[] {
  const names = Object.values(settings).flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]));
  const known = new Set([...names, ...NAMES_OF_HUBCTL]);
  return Object.keys(env)
    .filter((name) => name.startsWith('HUB_') && !known.has(name))
    .sort()
    .map((name) => {
      const meant = names.find((known) => known.startsWith(`${name}_`)) ?? nearestWord(name, names);
      return `${name} is not a setting of the server and is ignored${meant ? `; did you mean ${meant}?` : '.'}`;
    });
}
