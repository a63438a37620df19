import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addPostMessage, MESSAGE_EXAMPLES } from './message.ts';
import { addPostNote } from './note.ts';
import { postHelp } from './options.ts';
import { addPostTodo } from './todo.ts';

export function addPostCommands(program: Command, cli: Cli): void {
  const post = program
    .command('post')
    .summary('post a message, a note or a to-do with an API key')
    .description('post a message, a note or a to-do with an API key\n"post TEXT" is short for "post message TEXT"')
    .usage('[message | note | todo] [options] [text]')
    // A lone word is a text to post: `run` asks back for the word help.
    .helpCommand(false);
  addPostMessage(post, cli);
  addPostNote(post, cli);
  addPostTodo(post, cli);
  postHelp(post, MESSAGE_EXAMPLES, '…');
}
