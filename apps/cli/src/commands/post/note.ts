import type { CreateNoteInput } from '@hub/client';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { usageError } from '../../runtime/errors.ts';
import { STDIN } from '../../runtime/read-source.ts';
import { addPostOptions, type PostOptions, postHelp } from './options.ts';
import { textReader } from './read-text.ts';
import { type Post, sendPost } from './send-post.ts';

interface PostNoteOptions extends PostOptions {
  title?: string;
  content?: string;
}

export function addPostNote(post: Command, cli: Cli): void {
  const command = post
    .command('note')
    .description('Post a note')
    .argument('[content]', 'Content in Markdown; standard input if omitted or -')
    .option('--title <title>', 'Set a title in plain text')
    .option('--content <content>', 'Set the content with this option instead of the argument')
    .option('-f, --file <file>', 'Read the content from a file');
  addPostOptions(command).action((content: string | undefined, options: PostNoteOptions) =>
    sendPost(cli, command, options, () => preparePost(cli, content, options)),
  );
  const examples = [
    "hubctl post note --title 'Release 2.4' --file CHANGELOG.md",
    "df -h | hubctl post note --title 'Disks'",
  ];
  postHelp(command, examples, '"bucketId", "createdAt"');
}

function preparePost(cli: Cli, argument: string | undefined, options: PostNoteOptions): Post<CreateNoteInput> {
  const { title, content, file, keyStdin } = options;
  if (argument !== undefined && content !== undefined) {
    throw usageError('The content is given both as an argument and with --content.', 'Remove one of them.');
  }
  const given = argument ?? content;
  const read = textReader(cli, { what: 'content', argument: given, file, keyStdin });
  const contentName = content === undefined ? 'The content' : '--content';
  return {
    read: async () => ({ content: await read(), title }),
    create: (client, input, clientOptions) => client.notes.create(input, clientOptions),
    given: { title: '--title', content: given === undefined || given === STDIN ? undefined : contentName },
  };
}
