import { existsSync } from 'node:fs';
import { hasTokenFormat, KEY_PREFIX, PERSONAL_TOKEN_PREFIX } from '@hub/contract/key-token';
import type { Cli } from '../../runtime/cli.ts';
import { failed, usageError } from '../../runtime/errors.ts';
import { readSource, STDIN } from '../../runtime/files.ts';

interface KeyOptions {
  keyFile?: string;
  keyStdin?: boolean;
  skipWithoutKey?: boolean;
}

const KEY_SOURCES = 'Set HUB_API_KEY, or add --key-file FILE or --key-stdin.';

/** Returns the key, or `null` without one if `skipWithoutKey` is set. `beforePrompt` runs before a prompt for it. */
export async function readKey(
  cli: Cli,
  options: KeyOptions,
  beforePrompt?: () => Promise<unknown>,
): Promise<string | null> {
  const { text, source } = await findKey(cli, options);
  if (text !== '') return checkedKey(text, source);
  if (options.skipWithoutKey) return null;
  if (source === 'HUB_API_KEY') throw usageError('No API key: HUB_API_KEY is empty.', KEY_SOURCES);
  if (source !== undefined) throw failed('empty', `No API key: ${source} is empty.`, KEY_SOURCES);
  if (!cli.canAsk) throw usageError('No API key.', KEY_SOURCES);
  await beforePrompt?.();
  const response = (await cli.deps.prompts.secret('API key (hub_live_…):')).trim();
  if (response === '') throw usageError('No API key.', KEY_SOURCES);
  return checkedKey(response, 'The input');
}

/** @throws a usage error for options that are wrong regardless of the environment. */
export function requireKeyOptions({ keyFile }: KeyOptions): void {
  if (keyFile === STDIN) throw usageError('To read the key from standard input, use --key-stdin.');
}

async function findKey(cli: Cli, options: KeyOptions): Promise<{ text: string; source?: string }> {
  if (options.keyStdin && cli.deps.stdin.isTTY) return { text: '' };
  if (options.keyStdin) return { text: (await readSource(cli, STDIN)).trim(), source: 'standard input' };
  if (options.keyFile !== undefined) {
    // In a build of a fork, the file may not exist at all.
    if (options.skipWithoutKey && !existsSync(options.keyFile)) return { text: '' };
    return { text: (await readSource(cli, options.keyFile)).trim(), source: options.keyFile };
  }
  // Builds without secrets often set the variable to an empty value.
  const text = cli.deps.env.HUB_API_KEY?.trim() ?? '';
  return text === '' ? { text } : { text, source: 'HUB_API_KEY' };
}

/** Rejects a malformed key without sending or showing it, since it may be some other secret or file. */
function checkedKey(text: string, source = 'The value'): string {
  if (hasTokenFormat(KEY_PREFIX, text)) return text;
  const problem = text.startsWith(PERSONAL_TOKEN_PREFIX)
    ? 'is a personal access token, which cannot post'
    : text.startsWith(KEY_PREFIX)
      ? 'is not a complete key: it was mistyped or truncated'
      : 'is not an API key';
  const hint = 'API keys start with hub_live_. Ask an admin for one, or issue one: hubctl keys issue';
  throw failed('unauthenticated', `${source} ${problem}. Nothing was sent.`, hint);
}
