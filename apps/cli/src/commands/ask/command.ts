import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addCommand } from '../../runtime/command-line.ts';
import type { AskFlags } from './ask.ts';

export function addAskCommand(program: Command, cli: Cli): void {
  addCommand(program, 'ask', {
    about: 'Ask a question in a Hub and wait for the answer',
    prints:
      'The answer: the choice, or the text of the first reply if there are no choices.\n' +
      'The ID of the question is on standard error.\n' +
      'With --json: {"state": "answered", "id", "choice", "text", "replyId", "by": {"id", "name"}, "at"},\n' +
      'or {"state": "expired", "id"}.',
    more: {
      title: 'Interruptions',
      text:
        'hubctl reconnects to the server. If it is interrupted, the question stays open:\n' +
        'hubctl ask --resume ID waits again, and finds an answer that was given meanwhile.\n' +
        'A question needs an account: log in, or set HUB_URL and HUB_TOKEN. That token cannot answer it.',
    },
    exits:
      '0 answered, 1 the choice of --deny or an error, 2 usage error, 3 server unreachable, 4 not allowed,\n' +
      '6 not answered in time, 130 interrupted',
    examples: [
      'hubctl ask "Deploy 4.17.3?" --hub Releases --choices yes,no --deny no --timeout 30m && make deploy',
      'hubctl ask "Which version?" --hub Releases --from ada@example.com,@admins',
      'hubctl ask --resume msg_01KJMBS8106Z5QS12QGDH7FEWP --deny no',
    ],
  })
    .argument('[text]', 'The question (Markdown)')
    .option('--hub <hub>', 'Ask in this Hub, by its ID or name')
    .option('--choices <labels>', '2 to 10 labels, separated by commas (default: the first reply answers)')
    .option('--deny <label>', 'The choice that exits with 1')
    .option('--timeout <duration>', 'Let the question expire after this time: 90s, 30m, 12h, 3d (default: 1h)')
    .option('--from <users>', 'Only these can answer: users, by e-mail address, name or ID, @admins or @owners')
    .option('--resume <id>', 'Wait for the answer to this question, which was asked before')
    .action(async (text: string | undefined, flags: AskFlags) => {
      // Loaded on demand, since only few commands need the live library.
      const { askAndWait } = await import('./ask.ts');
      await askAndWait(cli, text, flags);
    });
}
