import {
  type AskConnection,
  type AskOptions,
  type AskOutcome,
  ask,
  HubApiError,
  HubConnectionError,
  type ResumeOptions,
} from '@hub/client/live';
import type { Cli } from '../../runtime/cli.ts';
import { CliError, EXIT, responseError, usageError } from '../../runtime/errors.ts';
import { readDuration } from '../../runtime/format.ts';
import { liveOptions, reportingState } from '../../runtime/live.ts';
import { hubFor, memberFor } from '../../runtime/resolve.ts';

export interface AskFlags {
  hub?: string;
  choices?: string;
  deny?: string;
  timeout?: string;
  from?: string;
  resume?: string;
}

const MAX_SECONDS = 30 * 86_400;
const ROLES: Readonly<Record<string, string>> = { '@admins': 'admin', '@owners': 'owner' };

/** Asks a question, or resumes one, and prints its answer. */
export async function askAndWait(cli: Cli, text: string | undefined, flags: AskFlags): Promise<void> {
  const stop = new AbortController();
  let id = flags.resume;
  const connection: AskConnection = {
    ...connectionOf(cli),
    signal: stop.signal,
    onAsked: (message) => {
      requireChoice(flags.deny, message.question?.choices);
      if (id === undefined) cli.output.note(`Asked ${message.id}. If this is interrupted: ${resumeOf(message.id)}`);
      ({ id } = message);
    },
  };
  const question = flags.resume === undefined ? await askedBy(cli, text, flags) : resumedBy(text, flags);
  const stopListening = cli.deps.onStop(() => stop.abort());
  try {
    print(cli, await ask({ ...connection, ...question } as AskOptions | ResumeOptions), flags);
  } catch (error) {
    if (!stop.signal.aborted) throw asError(error, id);
    const stays = id === undefined ? '' : ` The question stays open. To wait again: ${resumeOf(id)}`;
    cli.output.note(`Interrupted.${stays}`);
    cli.exitCode = EXIT.interrupted;
  } finally {
    stopListening();
  }
}

const resumeOf = (id: string): string => `hubctl ask --resume ${id}`;

export function connectionOf(cli: Cli): AskConnection {
  if (cli.connection.kind === 'socket') {
    throw new CliError('forbidden', 'A question needs an account, and the local admin has none.', {
      hint: 'Log in: hubctl login URL. In a script, set HUB_URL and HUB_TOKEN.',
    });
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
    const role = ROLES[reference];
    answerBy.push(role ?? (await memberFor(cli, hubId, reference)).id);
  }
  return {
    ...{ hubId, text, timeoutMs: seconds * 1_000 },
    ...(choices && { choices }),
    ...(from !== undefined && { answerBy }),
  };
}

function requireChoice(deny: string | undefined, choices: readonly string[] | null | undefined): void {
  if (deny === undefined || choices?.includes(deny)) return;
  const hint = choices ? `Its choices are: ${choices.join(', ')}` : 'It has none. Add them: --choices yes,no';
  throw usageError(`--deny "${deny}" is no choice of the question.`, hint);
}

function resumedBy(text: string | undefined, { resume, hub, choices, timeout, from }: AskFlags) {
  if (text !== undefined || [hub, choices, timeout, from].some((flag) => flag !== undefined))
    throw usageError('--resume can only be combined with --deny.', `Run: hubctl ask --resume ${resume}`);
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
function asError(error: unknown, id: string | undefined): unknown {
  const hint = id === undefined ? undefined : `To wait again: ${resumeOf(id)}`;
  if (error instanceof HubApiError) {
    const { statusCode, message, requestId, retryAfterSeconds } = error;
    if (statusCode === 400)
      return usageError(message.replace('question.choices', '--choices').replace('question.answerBy', '--from'));
    return responseError({ statusCode, message, requestId, retryAfterSeconds });
  }
  if (error instanceof HubConnectionError)
    return new CliError('unreachable', error.message, { hint, mayHaveCreated: error.mayHaveCreated });
  return error instanceof TypeError ? usageError(error.message) : error;
}
