import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addPostMessage, MESSAGE_EXAMPLES } from './message.ts';
import { addPostNote } from './note.ts';
import { postHelp } from './options.ts';
import { addPostTodo } from './todo.ts';

export function addPostCommands(program: Command, cli: Cli): void {
  const post = program
    .command('post')
    .summary('Post a message, note or to-do with an API key')
    .description('Post a message, note or to-do with an API key\n"post TEXT" is short for "post message TEXT"')
    .usage('[message | note | todo] [options] [text]')
    // A single word is text to post; `run` handles the ambiguous word "help".
    .helpCommand(false);
  addPostMessage(post, cli);
  addPostNote(post, cli);
  addPostTodo(post, cli);
  postHelp(post, MESSAGE_EXAMPLES, '…');
}
