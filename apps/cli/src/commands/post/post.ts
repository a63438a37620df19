import type { CreateMessageInput, CreateNoteInput, CreateTodoInput, Priority } from '@hub/client';
import { LIMITS } from '@hub/contract/limits';
import { type Command, Help } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addCommand, helpNotes } from '../../runtime/command-line.ts';
import { usageError } from '../../runtime/errors.ts';
import { STDIN } from '../../runtime/files.ts';
import { isDay, isInstant, parseDuration } from '../../runtime/format.ts';
import { attachmentsReader } from './attachments.ts';
import { fitText, requireLanguage } from './long-text.ts';
import { addPostOptions, addTextOptions, type PostOptions, postNotes, textReader, truncateOption } from './options.ts';
import { type Post, sendPost } from './send-post.ts';

export function addPostCommands(program: Command, cli: Cli): void {
  const post = program
    .command('post')
    .summary('Post a message, note or to-do with an API key')
    .description('Post a message, note or to-do with an API key\n"post TEXT" is short for "post message TEXT"')
    .usage('[message | note | todo] [options] [text]');
  const message = addPostMessage(post, cli);
  addPostNote(post, cli);
  addPostTodo(post, cli);
  helpNotes(post, postNotes(MESSAGE_EXAMPLES, '…'));
  // `post TEXT` takes the options of `post message`.
  post.configureHelp({ ...post.configureHelp(), visibleOptions: () => new Help().visibleOptions(message) });
}

const MESSAGE_EXAMPLES = [
  "hubctl post '**Deploy finished** in 42 s'",
  'git log --oneline -5 | hubctl post message',
  'hubctl post --file CHANGELOG.md --url https://hub.example.com --soft-fail',
  'hubctl post --file build.log --code text --truncate tail',
  "hubctl post 'The build failed' --attach build.log --attach screenshot.png",
  'hubctl post -- message     # posts the word "message"',
];

function addPostMessage(post: Command, cli: Cli): Command {
  const notes = postNotes(MESSAGE_EXAMPLES, '"conversationId", "createdAt"');
  const command = addCommand(post, 'message', { about: 'Post a message', ...notes })
    .argument('[text]', 'Text in Markdown; standard input if omitted or -')
    .option('-f, --file <file>', 'Read the text from a file');
  const added = addPostOptions(addTextOptions(command)).action((text, options) =>
    sendPost<CreateMessageInput>(cli, options, () => {
      requireLanguage(options);
      const { file, attach } = options;
      const isFilesAlone = text === undefined && file === undefined && attach !== undefined;
      const read = isFilesAlone ? undefined : textReader(cli, 'text', text, file, options);
      return {
        kind: 'message',
        read: async () =>
          read ? { text: fitText(await read(), LIMITS.messageTextCodePoints, options) } : { files: [] },
        attachments: attachmentsReader(cli, options, [text, file].includes(STDIN)),
      };
    }),
  );
  return added as unknown as Command;
}

function addPostNote(post: Command, cli: Cli): void {
  const examples = [
    "hubctl post note --title 'Release 2.4' --file CHANGELOG.md",
    "df -h | hubctl post note --title 'Disks'",
  ];
  const notes = postNotes(examples, '"bucketId", "createdAt"');
  const command = addCommand(post, 'note', { about: 'Post a note', ...notes })
    .argument('[content]', 'Content in Markdown; standard input if omitted or -')
    .option('--title <title>', 'Set a title in plain text')
    .option('--content <content>', 'Set the content with this option instead of the argument')
    .option('-f, --file <file>', 'Read the content from a file');
  addPostOptions(addTextOptions(command)).action((argument, options) =>
    sendPost<CreateNoteInput>(cli, options, () => {
      const { title, content, file } = options;
      if (argument !== undefined && content !== undefined)
        throw usageError('The content is given both as an argument and with --content.', 'Remove one of them.');
      requireLanguage(options);
      const read = textReader(cli, 'content', argument ?? content, file, options);
      return {
        kind: 'note',
        read: async () => ({ content: fitText(await read(), LIMITS.noteContentCodePoints, options), title }),
        attachments: attachmentsReader(cli, options, isFromStdin(cli, argument ?? content, file)),
      };
    }),
  );
}

/** Whether the text comes from standard input, which is read without an argument and a file, too. */
function isFromStdin(cli: Cli, argument: string | undefined, file: string | undefined): boolean {
  const isOmitted = argument === undefined && file === undefined;
  return [argument, file].includes(STDIN) || (isOmitted && !cli.deps.stdin.isTTY);
}

const PRIORITIES: readonly Priority[] = ['LOW', 'MEDIUM', 'HIGH', 'URGENT'];

function addPostTodo(post: Command, cli: Cli): void {
  const examples = [
    "hubctl post todo 'Renew the certificate' --due 2027-01-31 --priority high",
    "hubctl post todo 'Review the release notes' --due 3d",
    "hubctl post todo 'Fix the failing tests' --file report.md",
  ];
  const notes = postNotes(examples, '"bucketId", "createdAt"');
  const command = addCommand(post, 'todo', { about: 'Post a to-do', ...notes })
    .argument('[title]', 'Title in plain text; standard input if omitted or -')
    .option('--title <title>', 'Set the title with this option instead of the argument')
    .option('--content <content>', 'Set the content in Markdown')
    .option('-f, --file <file>', 'Read the content from a file; - is standard input')
    .option('--due <time>', 'Set the due date: 2027-01-31, 12h, 3d or 2w from now, or 2027-01-31T09:00+01:00')
    .option('--priority <priority>', 'Set the priority: low, medium, high or urgent')
    .addOption(truncateOption('content'));
  addPostOptions(command).action((title, options) =>
    sendPost<CreateTodoInput>(cli, options, () => prepareTodo(cli, title, options)),
  );
}

interface TodoOptions extends PostOptions {
  title?: string;
  content?: string;
  due?: string;
  priority?: string;
}

function prepareTodo(cli: Cli, argument: string | undefined, options: TodoOptions): Post<CreateTodoInput> {
  const { title = argument, content, file } = options;
  if (argument !== undefined && options.title !== undefined)
    throw usageError('The title is given both as an argument and with --title.', 'Remove one of them.');
  const priority = PRIORITIES.find((each) => each === options.priority?.toUpperCase());
  if (options.priority !== undefined && priority === undefined)
    throw usageError(`Unknown priority "${options.priority}".`, 'Use low, medium, high or urgent.');
  const due = options.due === undefined ? undefined : readDue(options.due, cli.deps.clock.now());
  if (content !== undefined && file !== undefined)
    throw usageError('The content is given both with --content and with --file.', 'Remove one of them.');
  if ([content, file].includes(STDIN) && (title === undefined || title === STDIN) && !options.keyStdin)
    throw usageError('The content comes from standard input, so pass the title as an argument.');
  const readContent = (content ?? file) === undefined ? undefined : textReader(cli, 'content', content, file, options);
  const readTitle = textReader(cli, 'title', title, undefined, options);
  return {
    kind: 'todo',
    read: async () => {
      const text = await readContent?.();
      const fitted = text === undefined ? undefined : fitText(text, LIMITS.todoContentCodePoints, options);
      return { title: await readTitle(), content: fitted, dueDate: due, priority };
    },
    attachments: attachmentsReader(cli, options, isFromStdin(cli, title, file ?? content)),
  };
}

/** Returns the time of `--due`: durations count from now; a day ends at 23:59 local time, as in the web app. */
export function readDue(text: string, nowMs: number): string {
  if (isInstant(text)) return text;
  const seconds = parseDuration(text);
  const due = new Date(seconds === null ? `${isDay(text) ? text : ''}T23:59` : nowMs + seconds * 1000);
  // The server accepts years up to 9999.
  if (due.getFullYear() <= 9999) return due.toISOString();
  throw usageError(
    `Invalid --due "${text}".`,
    'Use a day (2027-01-31, at 23:59), a time from now (12h, 3d, 2w), or a date and time with Z or an offset.',
  );
}
