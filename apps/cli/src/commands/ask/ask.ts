import type { AskConnection, AskOptions, AskOutcome, ResumeOptions } from '@hub/client/live';
import { shellWord } from '@hub/contract/shell-word';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addCommand } from '../../runtime/command-line.ts';
import { CliError, EXIT, failed, responseError, usageError } from '../../runtime/errors.ts';
import { readDuration } from '../../runtime/format.ts';
import { liveOptions, reportingState } from '../../runtime/live.ts';
import { hubFor, memberFor } from '../../runtime/resolve.ts';

interface AskFlags {
  hub?: string;
  choices?: string;
  deny?: string | undefined;
  timeout?: string;
  from?: string;
  resume?: string;
}

const MAX_SECONDS = 30 * 86_400;

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
    .option(
      '--from <users>',
      'Only these can answer: users, by e-mail address, name or ID, @admins (or admin) or @owners (or owner)',
    )
    .option('--resume <id>', 'Wait for the answer to this question, which was asked before')
    .action((text, flags) => askAndWait(cli, text, flags));
}

/** Asks a question, or resumes one, and prints its answer. */
async function askAndWait(cli: Cli, text: string | undefined, flags: AskFlags): Promise<void> {
  // Loaded on demand, since only few commands need it.
  const client = await import('@hub/client/live');
  const stop = new AbortController();
  let id = flags.resume;
  const connection: AskConnection = {
    ...connectionOf(cli),
    signal: stop.signal,
    onAsked: (message) => {
      requireChoice(flags.deny, message.question?.choices);
      if (id === undefined) noteResume(cli, `Asked ${message.id}. If this is interrupted:`, message.id, flags);
      ({ id } = message);
    },
  };
  const question = flags.resume === undefined ? await askedBy(cli, text, flags) : resumedBy(text, flags);
  const stopListening = cli.deps.onStop(() => stop.abort());
  try {
    print(cli, await client.ask({ ...connection, ...question } as AskOptions | ResumeOptions), flags);
  } catch (error) {
    if (!stop.signal.aborted) throw asError(client, error, id, flags);
    if (id === undefined) cli.output.note('Interrupted.');
    else noteResume(cli, 'Interrupted. The question stays open. To wait again:', id, flags);
    cli.exitCode = EXIT.interrupted;
  } finally {
    stopListening();
  }
}

/** Returns the command that waits again, with the same exit codes. */
const resumeOf = (id: string | undefined, { deny }: AskFlags): string =>
  `hubctl ask --resume ${id}${deny === undefined ? '' : ` --deny ${shellWord(deny)}`}`;

function noteResume(cli: Cli, text: string, id: string, flags: AskFlags): void {
  cli.output.note(text);
  cli.output.note(`  ${resumeOf(id, flags)}`);
}

export function connectionOf(cli: Cli): AskConnection {
  if (cli.connection.kind === 'socket') {
    const hint = 'Log in: hubctl login URL. In a script, set HUB_URL and HUB_TOKEN.';
    throw failed('forbidden', 'A question needs an account, and the local admin has none.', hint);
  }
  return { ...liveOptions(cli), onState: reportingState(cli) } as AskConnection;
}

async function askedBy(cli: Cli, text: string | undefined, flags: AskFlags) {
  const { choices: labels, deny, timeout = '1h', from } = flags;
  if (text === undefined || text.trim() === '') throw usageError('Specify the question: hubctl ask TEXT --hub HUB');
  const choices = labels?.split(',').map((label) => label.trim());
  requireChoice(deny, choices);
  const seconds = readDuration('--timeout', timeout);
  if (seconds < 1 || seconds > MAX_SECONDS) throw usageError(`--timeout ${timeout} must be 1s to 30d.`);
  const { id: hubId } = await hubFor(cli, flags.hub);
  const answerBy: string[] = [];
  for (const reference of from?.split(',').map((each) => each.trim()) ?? []) {
    const [, role] = /^@?(admin|owner)s?$/.exec(reference) ?? [];
    answerBy.push(role ?? (await memberFor(cli, hubId, reference)).id);
  }
  return { hubId, text, choices, timeoutMs: seconds * 1_000, answerBy: from === undefined ? undefined : answerBy };
}

function requireChoice(deny: string | undefined, choices: readonly string[] | null | undefined): void {
  if (deny === undefined || choices?.includes(deny)) return;
  const hint = choices ? `Its choices are: ${choices.join(', ')}` : 'It has none. Add them: --choices yes,no';
  throw usageError(`--deny "${deny}" is no choice of the question.`, hint);
}

function resumedBy(text: string | undefined, { resume, hub, choices, timeout, from, deny }: AskFlags) {
  if (text !== undefined || [hub, choices, timeout, from].some((flag) => flag !== undefined))
    throw usageError('--resume can only be combined with --deny.', `Run: ${resumeOf(resume, { deny })}`);
  return { resume };
}

function print(cli: Cli, outcome: AskOutcome, { deny }: AskFlags): void {
  const { output, json } = cli;
  if (json) output.document(outcome);
  if (outcome.state === 'expired') {
    cli.exitCode = EXIT.expired;
    if (!json) output.note('Nobody answered in time.');
    return;
  }
  if (deny !== undefined && outcome.choice === deny) cli.exitCode = EXIT.failed;
  if (json) return;
  output.note(`Answered by ${outcome.by.name}.`);
  for (const line of outcome.text.split('\n')) output.line(line);
}

/** Rewords the errors of the client. */
function asError(client: typeof import('@hub/client/live'), error: unknown, id: string | undefined, flags: AskFlags) {
  const hint = id === undefined ? undefined : `To wait again: ${resumeOf(id, flags)}`;
  if (error instanceof client.HubApiError) {
    const { statusCode, message, requestId, retryAfterSeconds } = error;
    if (statusCode === 400)
      return usageError(message.replace('question.choices', '--choices').replace('question.answerBy', '--from'));
    return responseError({ statusCode, message, requestId, retryAfterSeconds });
  }
  if (error instanceof client.HubConnectionError)
    return new CliError('unreachable', error.message, { hint, mayHaveCreated: error.mayHaveCreated });
  return error instanceof TypeError ? usageError(error.message) : error;
}
