import type { CreateTodoInput, Priority } from '@hub/client';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { usageError } from '../../runtime/errors.ts';
import { STDIN } from '../../runtime/read-source.ts';
import { isInstant } from '../keys/expiry.ts';
import { addPostOptions, type PostOptions, postHelp } from './options.ts';
import { stdinTakenTwice, textReader } from './read-text.ts';
import { type Post, sendPost } from './send-post.ts';

interface PostTodoOptions extends PostOptions {
  content?: string;
  due?: string;
  priority?: string;
}

const PRIORITIES: readonly Priority[] = ['LOW', 'MEDIUM', 'HIGH', 'URGENT'];

export function addPostTodo(post: Command, cli: Cli): void {
  const command = post
    .command('todo')
    .description('Post a to-do')
    .argument('[title]', 'Title in plain text; standard input if omitted or -')
    .option('--content <content>', 'Set the content in Markdown')
    .option('-f, --file <file>', 'Read the content from a file; - is standard input')
    .option('--due <time>', 'Set the due date, with Z or an offset: 2027-01-31T09:00+01:00')
    .option('--priority <priority>', 'Set the priority: low, medium, high or urgent');
  addPostOptions(command).action((title: string | undefined, options: PostTodoOptions) =>
    sendPost(cli, command, options, () => preparePost(cli, title, options)),
  );
  const examples = [
    "hubctl post todo 'Renew the certificate' --due 2027-01-31T09:00Z --priority high",
    "hubctl post todo 'Fix the failing tests' --file report.md",
  ];
  postHelp(command, examples, '"bucketId", "createdAt"');
}

function preparePost(cli: Cli, argument: string | undefined, options: PostTodoOptions): Post<CreateTodoInput> {
  const priority = readPriority(options.priority);
  const dueDate = readDue(options.due);
  const readContent = contentReader(cli, argument, options);
  const readTitle = textReader(cli, { what: 'title', argument, keyStdin: options.keyStdin });
  return {
    read: async () => {
      const content = await readContent?.();
      return { title: await readTitle(), content, dueDate, priority };
    },
    create: (client, input, clientOptions) => client.todos.create(input, clientOptions),
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
  const isFromStdin = file === STDIN || content === STDIN;
  if (isFromStdin && keyStdin) throw stdinTakenTwice('content');
  if (isFromStdin && (title === undefined || title === STDIN)) {
    throw usageError('The content comes from standard input, so pass the title as an argument.');
  }
  return textReader(cli, { what: 'content', argument: content, file, keyStdin });
}

function readPriority(text: string | undefined): Priority | undefined {
  if (text === undefined) return undefined;
  const priority = PRIORITIES.find((known) => known === text.toUpperCase());
  if (priority) return priority;
  throw usageError(`Unknown priority "${text}".`, 'Use low, medium, high or urgent.');
}

function readDue(text: string | undefined): string | undefined {
  if (text === undefined || isInstant(text)) return text;
  throw usageError(
    `Invalid --due date "${text}".`,
    'Use a date and time with Z or an offset: 2027-01-31T09:00Z or 2027-01-31T09:00+01:00.',
  );
}
