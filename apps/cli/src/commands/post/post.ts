import type { Block, CreateMessageInput, CreateNoteInput, CreateTodoInput, Priority } from '@hub/client';
import { LIMITS } from '@hub/contract/limits';
import { type Command, Help } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { type CliError, failed, usageError } from '../../runtime/errors.ts';
import { readSource, STDIN } from '../../runtime/files.ts';
import { attachmentsReader } from './attachments.ts';
import { readDue } from './due.ts';
import { fitText, requireTextOptions } from './long-text.ts';
import {
  addPostOptions,
  addTextOptions,
  type PostOptions,
  postHelp,
  stdinTakenTwice,
  textReader,
  truncateOption,
} from './options.ts';
import { type Post, sendPost } from './send-post.ts';

export function addPostCommands(program: Command, cli: Cli): void {
  const post = program
    .command('post')
    .summary('Post a message, note or to-do with an API key')
    .description('Post a message, note or to-do with an API key\n"post TEXT" is short for "post message TEXT"')
    .usage('[message | note | todo] [options] [text]')
    // A single word is text to post; `run` handles the ambiguous word "help".
    .helpCommand(false);
  const message = addPostMessage(post, cli);
  addPostNote(post, cli);
  addPostTodo(post, cli);
  postHelp(post, MESSAGE_EXAMPLES, '…');
  const help = new Help();
  post.configureHelp({
    ...post.configureHelp(),
    visibleOptions: () => help.visibleOptions(message),
    styleTitle: (title) => (title === 'Options:' ? 'Options of "post TEXT":' : title),
  });
}

interface PostMessageOptions extends PostOptions {
  blocks?: string;
}

const MESSAGE_EXAMPLES = [
  "hubctl post '**Deploy finished** in 42 s'",
  'git log --oneline -5 | hubctl post message',
  'hubctl post --file CHANGELOG.md --url https://hub.example.com --soft-fail',
  'hubctl post --file build.log --code text --truncate=tail',
  "hubctl post 'The build failed' --attach build.log --attach screenshot.png",
  'hubctl post -- message     # posts the word "message"',
];

function addPostMessage(post: Command, cli: Cli): Command {
  const command = post
    .command('message')
    .description('Post a message')
    .argument('[text]', 'Text in Markdown; standard input if omitted or -')
    .option('-f, --file <file>', 'Read the text from a file')
    .option('--blocks <file>', 'Read Editor.js blocks from a file: a JSON array, or the result of save()');
  addPostOptions(addTextOptions(command)).action((text: string | undefined, options: PostMessageOptions) =>
    sendPost<CreateMessageInput>(cli, command, options, () => ({
      read: messageReader(cli, text, options),
      kind: 'message',
      attachments: attachmentsReader(cli, options, [text, options.file, options.blocks].includes(STDIN)),
      given: { text: text === STDIN || text === undefined ? undefined : 'The text' },
    })),
  );
  postHelp(command, MESSAGE_EXAMPLES, '"conversationId", "createdAt"');
  return command;
}

function messageReader(
  cli: Cli,
  argument: string | undefined,
  options: PostMessageOptions,
): () => Promise<CreateMessageInput[]> {
  const { file, keyStdin, blocks: blocksFile } = options;
  requireTextOptions(options);
  if (blocksFile === undefined && argument === undefined && file === undefined && options.attach !== undefined)
    return async () => [{ files: [] }];
  if (blocksFile === undefined) {
    const limit = LIMITS.messageTextCodePoints;
    const long = { kind: 'message', limit, isHandled: isLong(options) };
    const read = textReader(cli, { what: 'text', argument, file, keyStdin, long });
    return async () => fitText(await read(), limit, options).map((text) => ({ text }));
  }
  if (options.code !== undefined || isLong(options)) {
    throw usageError('--blocks cannot be combined with --code, --split or --truncate.', 'Remove one of them.');
  }
  if (argument !== undefined || file !== undefined) {
    throw usageError('Use either text or --blocks, not both. Hub shows only the blocks.');
  }
  if (/^\s*[[{]/.test(blocksFile)) {
    throw usageError('--blocks takes a file, not JSON.', 'Pass the JSON on standard input: --blocks -');
  }
  if (blocksFile === STDIN && keyStdin) throw stdinTakenTwice('blocks');
  return async () => [{ blocks: readBlocks(await readSource(cli, blocksFile), blocksFile) }];
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
  return failed('invalid', message, hint);
}

interface PostNoteOptions extends PostOptions {
  title?: string;
  content?: string;
}

function addPostNote(post: Command, cli: Cli): void {
  const command = post
    .command('note')
    .description('Post a note')
    .argument('[content]', 'Content in Markdown; standard input if omitted or -')
    .option('--title <title>', 'Set a title in plain text')
    .option('--content <content>', 'Set the content with this option instead of the argument')
    .option('-f, --file <file>', 'Read the content from a file');
  addPostOptions(addTextOptions(command)).action((content: string | undefined, options: PostNoteOptions) =>
    sendPost(cli, command, options, () => prepareNote(cli, content, options)),
  );
  const examples = [
    "hubctl post note --title 'Release 2.4' --file CHANGELOG.md",
    "df -h | hubctl post note --title 'Disks'",
  ];
  postHelp(command, examples, '"bucketId", "createdAt"');
}

function prepareNote(cli: Cli, argument: string | undefined, options: PostNoteOptions): Post<CreateNoteInput> {
  const { title, content, file, keyStdin } = options;
  if (argument !== undefined && content !== undefined) {
    throw usageError('The content is given both as an argument and with --content.', 'Remove one of them.');
  }
  requireTextOptions(options);
  const given = argument ?? content;
  const limit = LIMITS.noteContentCodePoints;
  const long = { kind: 'note', limit, isHandled: isLong(options) };
  const read = textReader(cli, { what: 'content', argument: given, file, keyStdin, long });
  const contentName = content === undefined ? 'The content' : '--content';
  return {
    read: async () => fitText(await read(), limit, options).map((content) => ({ content, title })),
    kind: 'note',
    attachments: attachmentsReader(cli, options, isFromStdin(cli, given, file)),
    given: { title: '--title', content: given === undefined || given === STDIN ? undefined : contentName },
  };
}

/** Whether the text comes from standard input, which is read without an argument and a file, too. */
function isFromStdin(cli: Cli, argument: string | undefined, file: string | undefined): boolean {
  const isOmitted = argument === undefined && file === undefined;
  return [argument, file].includes(STDIN) || (isOmitted && !cli.deps.stdin.isTTY);
}

interface PostTodoOptions extends PostOptions {
  content?: string;
  due?: string;
  priority?: string;
}

const PRIORITIES: readonly Priority[] = ['LOW', 'MEDIUM', 'HIGH', 'URGENT'];

function addPostTodo(post: Command, cli: Cli): void {
  const command = post
    .command('todo')
    .description('Post a to-do')
    .argument('[title]', 'Title in plain text; standard input if omitted or -')
    .option('--content <content>', 'Set the content in Markdown')
    .option('-f, --file <file>', 'Read the content from a file; - is standard input')
    .option(
      '--due <time>',
      "Set the due date: today, 'tomorrow 17:00', fri, 12h, 3d, 2027-01-31, 2027-01-31T09:00+01:00",
    )
    .option('--priority <priority>', 'Set the priority: low, medium, high or urgent')
    .addOption(truncateOption('content'));
  addPostOptions(command).action((title: string | undefined, options: PostTodoOptions) =>
    sendPost(cli, command, options, () => prepareTodo(cli, title, options)),
  );
  const examples = [
    "hubctl post todo 'Renew the certificate' --due 2027-01-31 --priority high",
    "hubctl post todo 'Review the release notes' --due 'fri 12:00'",
    "hubctl post todo 'Fix the failing tests' --file report.md",
  ];
  postHelp(command, examples, '"bucketId", "createdAt"');
}

function prepareTodo(cli: Cli, argument: string | undefined, options: PostTodoOptions): Post<CreateTodoInput> {
  const priority = readPriority(options.priority);
  const due = options.due === undefined ? undefined : readDue(options.due, cli.deps.clock.now());
  const readContent = contentReader(cli, argument, options);
  const readTitle = textReader(cli, { what: 'title', argument, keyStdin: options.keyStdin });
  return {
    read: async () => {
      const text = await readContent?.();
      const [content] = text === undefined ? [] : fitText(text, LIMITS.todoContentCodePoints, options);
      const title = await readTitle();
      if (due?.note) cli.output.note(due.note);
      return [{ title, content, dueDate: due?.iso, priority }];
    },
    kind: 'todo',
    attachments: attachmentsReader(cli, options, isFromStdin(cli, argument, options.file ?? options.content)),
    given: {
      title: argument === undefined || argument === STDIN ? undefined : 'The title',
      content: options.content === undefined || options.content === STDIN ? undefined : '--content',
    },
  };
}

function contentReader(
  cli: Cli,
  title: string | undefined,
  options: PostTodoOptions,
): (() => Promise<string>) | undefined {
  const { content, file, keyStdin } = options;
  if (content === undefined && file === undefined) return undefined;
  if (content !== undefined && file !== undefined) {
    throw usageError('The content is given both with --content and with --file.', 'Remove one of them.');
  }
  const isPiped = file === STDIN || content === STDIN;
  if (isPiped && keyStdin) throw stdinTakenTwice('content');
  if (isPiped && (title === undefined || title === STDIN)) {
    throw usageError('The content comes from standard input, so pass the title as an argument.');
  }
  const long = { kind: 'todo', limit: LIMITS.todoContentCodePoints, isHandled: isLong(options) };
  return textReader(cli, { what: 'content', argument: content, file, keyStdin, long });
}

function readPriority(text: string | undefined): Priority | undefined {
  if (text === undefined) return undefined;
  const priority = PRIORITIES.find((each) => each === text.toUpperCase());
  if (priority) return priority;
  throw usageError(`Unknown priority "${text}".`, 'Use low, medium, high or urgent.');
}

function isLong({ split, truncate }: PostOptions): boolean {
  return split === true || truncate !== undefined;
}
