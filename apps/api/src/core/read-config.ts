import { join } from 'node:path';
import { nearestWord } from '@hub/contract/nearest-word';
import { type Config, ConfigError, type Setting, settings, type Values } from './config.ts';
import { ConfigProblem } from './config-schemas.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

interface ConfigSources {
  /** Reads a whole text file; throws on failure. */
  readonly readFile: (path: string) => string;
  /** The operating system, as in `process.platform`. */
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
  return { ...values, tls, adminSocket, warnings };
}

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
const HUBCTL_VARIABLES = ['HUB_URL', 'HUB_API_KEY', 'HUB_PROFILE'];

function unknownVariables(env: Environment): string[] {
  const names = Object.values(settings).flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]));
  const known = new Set([...names, ...HUBCTL_VARIABLES]);
  return Object.keys(env)
    .filter((name) => name.startsWith('HUB_') && !known.has(name))
    .sort()
    .map((name) => {
      const meant = names.find((known) => known.startsWith(`${name}_`)) ?? nearestWord(name, names);
      return `${name} is not a server setting and is ignored${meant ? `; did you mean ${meant}?` : '.'}`;
    });
}
