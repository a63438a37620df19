import type { Block, CreateMessageInput } from '@hub/client';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { CliError, usageError } from '../../runtime/errors.ts';
import { EXIT } from '../../runtime/exit-codes.ts';
import { readSource, STDIN } from '../../runtime/read-source.ts';
import { addPostOptions, type PostOptions, postHelp } from './options.ts';
import { stdinTakenTwice, textReader } from './read-text.ts';
import { sendPost } from './send-post.ts';

interface PostMessageOptions extends PostOptions {
  blocks?: string;
}

export const MESSAGE_EXAMPLES = [
  "hubctl post '**Deploy finished** in 42 s'",
  'git log --oneline -5 | hubctl post message',
  'hubctl post --file CHANGELOG.md --url https://hub.example.com --soft-fail',
  'hubctl post -- message     # posts the word "message"',
];

export function addPostMessage(post: Command, cli: Cli): void {
  const command = post
    .command('message')
    .description('Post a message')
    .argument('[text]', 'Text in Markdown; standard input if omitted or -')
    .option('-f, --file <file>', 'Read the text from a file')
    .option('--blocks <file>', 'Read Editor.js blocks from a file: a JSON array, or the result of save()');
  addPostOptions(command).action((text: string | undefined, options: PostMessageOptions) =>
    sendPost<CreateMessageInput>(cli, command, options, () => ({
      read: messageReader(cli, text, options),
      create: (client, input, clientOptions) => client.messages.create(input, clientOptions),
      given: { text: text === STDIN || text === undefined ? undefined : 'The text' },
    })),
  );
  postHelp(command, MESSAGE_EXAMPLES, '"conversationId", "createdAt"');
}

function messageReader(
  cli: Cli,
  argument: string | undefined,
  options: PostMessageOptions,
): () => Promise<CreateMessageInput> {
  const { file, keyStdin, blocks: blocksFile } = options;
  if (blocksFile === undefined) {
    const read = textReader(cli, { what: 'text', argument, file, keyStdin });
    return async () => ({ text: await read() });
  }
  if (argument !== undefined || file !== undefined) {
    throw usageError('Use either text or --blocks, not both. Hub shows only the blocks.');
  }
  if (blocksFile === STDIN && keyStdin) throw stdinTakenTwice('blocks');
  return async () => ({ blocks: readBlocks(await readSource(cli, blocksFile), blocksFile) });
}

/** Reads an array of blocks. The server validates each block. */
function readBlocks(json: string, source: string): Block[] {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw invalidBlocks(`--blocks: ${source} is not JSON: ${error instanceof Error ? error.message : error}.`);
  }
  const blocks = Array.isArray(value) ? value : (value as { blocks?: unknown } | null)?.blocks;
  if (Array.isArray(blocks)) return blocks;
  throw invalidBlocks(`--blocks: ${source} has no blocks.`, 'Use a JSON array, or an object with "blocks".');
}

function invalidBlocks(message: string, hint?: string): CliError {
  return new CliError('invalid', EXIT.failed, message, { hint });
}
