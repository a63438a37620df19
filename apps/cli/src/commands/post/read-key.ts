import { existsSync } from 'node:fs';
import { hasTokenForm, KEY_PREFIX, PERSONAL_TOKEN_PREFIX } from '@hub/contract/key-token';
import type { Cli } from '../../runtime/cli.ts';
import { CliError, usageError } from '../../runtime/errors.ts';
import { EXIT } from '../../runtime/exit-codes.ts';
import { emptyInput, readSource, STDIN } from '../../runtime/read-source.ts';
import type { PostOptions } from './options.ts';

type KeyOptions = Pick<PostOptions, 'keyFile' | 'keyStdin' | 'skipWithoutKey'>;

const WAYS = 'Set HUB_API_KEY, or add --key-file FILE or --key-stdin.';

/** The key to post with, or `null` if there is none and that is fine. */
export async function readKey(cli: Cli, options: KeyOptions): Promise<string | null> {
  const { text, source } = await findKey(cli, options);
  if (text !== '') return checkedKey(text, source);
  if (options.skipWithoutKey) return null;
  if (source === 'HUB_API_KEY') throw usageError('There is no key: HUB_API_KEY is empty.', WAYS);
  if (source !== undefined) throw emptyInput(`There is no key: ${source} is empty.`, WAYS);
  const missing = `There is no key to post with. ${WAYS}`;
  const typed = await cli.response(undefined, missing, (prompts) => prompts.secret('API key (hub_live_…):'));
  const response = typed.trim();
  if (response === '') throw usageError('There is no key to post with.', WAYS);
  return checkedKey(response, 'What was typed');
}

/** @throws what is wrong with these options whatever the run brings. */
export function requireKeyOptions({ keyFile }: KeyOptions): void {
  if (keyFile === STDIN) throw usageError('To read the key from standard input, write --key-stdin.');
}

async function findKey(cli: Cli, options: KeyOptions): Promise<{ text: string; source?: string }> {
  if (options.keyStdin && cli.deps.stdin.isTTY) return { text: '' };
  if (options.keyStdin) return { text: (await readSource(cli, STDIN)).trim(), source: 'standard input' };
  if (options.keyFile !== undefined) {
    // A fork may lack the file as well as what is in it.
    if (options.skipWithoutKey && !existsSync(options.keyFile)) return { text: '' };
    return { text: (await readSource(cli, options.keyFile)).trim(), source: options.keyFile };
  }
  // A build without secrets often has the variable, but empty.
  const text = cli.deps.env.HUB_API_KEY?.trim() ?? '';
  return text === '' ? { text } : { text, source: 'HUB_API_KEY' };
}

/** What is no key is not sent: it may be some other secret, or the wrong file. Its text is never repeated. */
function checkedKey(text: string, source = 'What was given'): string {
  if (hasTokenForm(KEY_PREFIX, text)) return text;
  const problem = text.startsWith(PERSONAL_TOKEN_PREFIX)
    ? 'is a personal access token, which cannot post'
    : text.startsWith(KEY_PREFIX)
      ? 'is not a whole key: it was mistyped or cut short'
      : 'is not a key of a Hub';
  throw new CliError('unauthenticated', EXIT.notAllowed, `${source} ${problem}. Nothing was sent.`, {
    hint: 'A key begins with hub_live_ and was shown when it was issued. For another one, ask an admin, or issue one yourself: hubctl keys issue',
  });
}
