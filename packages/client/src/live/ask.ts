import { LIVE_PATH } from '@hub/contract/paths';
import { HubApiError } from '../api-errors.ts';
import { type Clock, sleep } from '../clock.ts';
import { HubConnectionError } from '../errors.ts';
import type { Item, Message, Question } from '../items.ts';
import { onAbort } from '../on-abort.ts';
import { optionsProblem } from '../options-problem.ts';
import { requestsTo } from '../workspace/requests.ts';
import { connectLive } from './connect-live.ts';
import { RUNTIME_ENVIRONMENT, type RuntimeEnvironment, systemEnvironment } from './environment.ts';
import { readTarget, requireWebSocket } from './open-socket.ts';
import type { LiveOptions } from './options.ts';

/** The options of every call of `ask`. `fetch` also sends its requests. */
export interface AskConnection extends Pick<LiveOptions, 'baseUrl' | 'token' | 'createSocket' | 'fetch' | 'onState'> {
  /** Ends the call, which rejects with the signal's reason. The question stays open; `resume` waits for it again. */
  signal?: AbortSignal | undefined;
  /** Called with the message of the question as soon as its ID is known, which `resume` needs. */
  onAsked?: ((message: Message) => void) | undefined;
}

export interface AskOptions<Choice extends string = string> extends AskConnection {
  hubId: string;
  /** Markdown. */
  text: string;
  /** 2 to 10 labels. Without them, the first reply answers the question. */
  choices?: readonly Choice[] | undefined;
  /** The IDs of the users who may answer, `admin` or `owner`. By default, every member of the Hub. */
  answerBy?: readonly string[] | undefined;
  /** The question expires after this time, by the clock of the server: from 1,000 to 30 days. */
  timeoutMs: number;
}

export interface ResumeOptions extends AskConnection {
  /** The ID of a question that was asked before. */
  resume: string;
}

/** The end of a question with the ID `id`. */
export type AskOutcome<Choice extends string | null = string | null> =
  | {
      state: 'answered';
      id: string;
      /** One of the choices; `null` if the question has none. */
      choice: Choice;
      /** The choice, or the text of the reply; empty if the reply was deleted. */
      text: string;
      replyId: string | null;
      by: { id: string; name: string };
      /** ISO 8601 in UTC. */
      at: string;
    }
  | { state: 'expired'; id: string };

/** How long to wait before reading again what could not be read, and for an expiry that no event has reported. */
const RETRY_MS = 1_000;
const GRACE_MS = 10_000;
const MAX_REFUSED = 4;

/**
 * Asks a question in a Hub, and resolves with its answer, or once it has expired. Reconnects and survives restarts of the
 * server. Needs a session or a personal access token.
 *
 * ```ts
 * const outcome = await ask({ baseUrl, token, hubId, text: 'Deploy?', choices: ['yes', 'no'], timeoutMs: 1_800_000 });
 * if (outcome.state === 'answered' && outcome.choice === 'yes') await deploy();
 * ```
 *
 * @throws TypeError if an option is invalid or unknown; HubApiError if the server rejects a request, as when the question
 * was deleted; HubConnectionError if the question could not be sent, or its outcome not be read soon after its expiry.
 */
export function ask<const Choice extends string>(
  options: AskOptions<Choice> & { choices: readonly Choice[] },
): Promise<AskOutcome<Choice>>;
export function ask(options: AskOptions & { choices?: undefined }): Promise<AskOutcome<null>>;
export function ask(options: AskOptions | ResumeOptions): Promise<AskOutcome>;
export async function ask(options: AskOptions | ResumeOptions): Promise<AskOutcome> {
  checkOptions(options);
  const { signal, onAsked } = options;
  signal?.throwIfAborted();
  const environment =
    (options as { [RUNTIME_ENVIRONMENT]?: RuntimeEnvironment })[RUNTIME_ENVIRONMENT] ?? systemEnvironment;
  const requests = requestsOf(options, environment.clock);
  const message =
    'resume' in options ? await requests.read(options.resume) : await requests.write(options as AskOptions);
  if (message.kind !== 'message' || !message.question) throw new TypeError(`${message.id} is not a question.`);
  onAsked?.(message);
  const question = isClosed(message.question)
    ? message.question
    : await closing(message, options, requests, environment);
  return outcomeOf(message.id, question, requests);
}

const isClosed = ({ state }: Question): boolean => state !== 'open';

async function outcomeOf(id: string, { answer }: Question, { read }: Requests): Promise<AskOutcome> {
  if (!answer) return { state: 'expired', id };
  const { choice, replyId } = answer;
  return { ...answer, state: 'answered', id, text: choice ?? (replyId === null ? '' : await textOf(read(replyId))) };
}

/** Returns the text of a reply, which can be deleted. */
async function textOf(reading: Promise<Item>): Promise<string> {
  const reply = await reading.catch((error: unknown) => {
    if (error instanceof HubApiError && error.statusCode === 404) return undefined;
    throw error;
  });
  if (reply?.kind !== 'message') return '';
  return reply.text ?? reply.files?.map(({ name }) => name).join(', ') ?? '';
}

type Requests = ReturnType<typeof requestsOf>;

function requestsOf(options: AskConnection, clock: Clock) {
  const target = readTarget(options);
  if (options.createSocket === undefined) requireWebSocket(target);
  const base = String(target.httpUrl).slice(0, -LIVE_PATH.length);
  const { signal, fetch: send } = options;
  const { request } = requestsTo({ base, headers: target.headers, fetch: send, signal });
  return {
    /** Sends the question. Only a refused connection is tried again: the question would be asked twice. */
    async write({ hubId, text, choices, answerBy, timeoutMs }: AskOptions): Promise<Item> {
      const expiresInSeconds = Math.ceil(timeoutMs / 1_000);
      const question = { ...(choices && { choices: [...choices] }), ...(answerBy && { answerBy: [...answerBy] }) };
      const body = { text, question: { ...question, expiresInSeconds } };
      for (let failures = 1; ; failures += 1) {
        try {
          return await request('POST /hubs/{hubId}/messages', { hubId, body });
        } catch (error) {
          const { isRetryable } = await import('../connection-failure.ts');
          if (failures === MAX_REFUSED || !isRetryable(error)) throw error;
          await sleep(clock, RETRY_MS * failures, signal);
        }
      }
    },
    /** Reads an item. While the server cannot be reached, tries again until `isOver`, by default for 10 seconds. */
    async read(itemId: string, isOver?: () => boolean): Promise<Item> {
      const end = clock.now() + GRACE_MS;
      for (;;) {
        try {
          return await request('GET /items/{itemId}', { itemId });
        } catch (error) {
          const isTemporary =
            error instanceof HubConnectionError ||
            (error instanceof HubApiError && !(error.statusCode < 500 && error.statusCode !== 429));
          if (!isTemporary || (isOver?.() ?? clock.now() > end)) throw error;
          await sleep(clock, RETRY_MS, signal);
        }
      }
    },
  };
}

/** Resolves with the question once it is closed. */
function closing(
  { id, hubId, question: asked }: Message,
  options: AskOptions | ResumeOptions,
  { read }: Requests,
  environment: RuntimeEnvironment,
): Promise<Question> {
  const { baseUrl, token, createSocket, fetch: send, onState, signal } = options;
  const { clock } = environment;
  const leftMs = 'resume' in options ? Math.max(0, Date.parse(asked?.expiresAt ?? '') - Date.now()) : options.timeoutMs;
  return new Promise((resolve, reject) => {
    let isSettled = false;
    const settle = (finish: () => void): void => {
      isSettled = true;
      cancelTimer();
      stopListening();
      live.close();
      finish();
    };
    const fail = (error: unknown) => isSettled || settle(() => reject(error));
    const see = (item: Item): void => {
      const question = item.kind === 'message' ? item.question : undefined;
      if (isSettled || (question && !isClosed(question))) return;
      if (question) settle(() => resolve(question));
      else fail(deleted(id));
    };
    /** Reads the question, since an event may have been lost, or have come before the subscription. */
    const check = async (isOver?: () => boolean): Promise<void> => {
      if (!isSettled) await read(id, isOver).then(see, fail);
    };
    /** The clock of this machine can differ, so that only the server knows whether the question has expired. */
    const expireIn = (ms: number) =>
      clock.setTimer(ms, () => {
        void check().then(() => {
          if (!isSettled) cancelTimer = expireIn(GRACE_MS);
        });
      });
    let cancelTimer = expireIn(leftMs + GRACE_MS);
    const stopListening = onAbort(signal, () => fail(signal?.reason));
    const live = connectLive({
      ...{ baseUrl, token, createSocket, fetch: send, onError: fail },
      onState: (state) => {
        onState?.(state);
        if (state.status === 'ended' && state.reason === 'unauthenticated') fail(problem(401, state.message, hubId));
      },
      [RUNTIME_ENVIRONMENT]: environment,
    } as LiveOptions);
    live.follow(hubId, {
      onEvent: ({ data }) => {
        if ('id' in data && data.id === id) see(data as Item);
      },
      onReset: () => check(() => isSettled),
      onCaughtUp: () => check(() => isSettled),
      onEnd: ({ code, message }) => fail(problem(code === 'unauthenticated' ? 401 : 404, message, hubId)),
    });
  });
}

const deleted = (id: string): HubApiError => problem(404, `The question ${id} was deleted.`, id);

function problem(status: number, message: string, path: string): HubApiError {
  return new HubApiError({ status, headers: new Headers(), message, timestamp: new Date().toISOString(), path });
}

const NAMES = {
  baseUrl: true,
  token: true,
  createSocket: true,
  fetch: true,
  onState: true,
  signal: true,
  onAsked: true,
} as const;
const ASK_NAMES = { hubId: true, text: true, choices: true, answerBy: true, timeoutMs: true } as const;

function checkOptions(options: AskOptions | ResumeOptions): void {
  const isResumed = typeof options === 'object' && options !== null && 'resume' in options;
  const found = optionsProblem(options, 'ask', isResumed ? { ...NAMES, resume: true } : { ...NAMES, ...ASK_NAMES });
  if (found !== undefined) throw new TypeError(found);
  const required = isResumed ? [options.resume] : [(options as AskOptions).hubId, (options as AskOptions).text];
  if (!required.every((value) => typeof value === 'string' && value !== ''))
    throw new TypeError('ask requires hubId and text, or resume: the ID of a question.');
  for (const name of ['choices', 'answerBy'] as const) {
    const list = isResumed ? undefined : (options as AskOptions)[name];
    if (list !== undefined && !Array.isArray(list)) throw new TypeError(`${name} must be an array.`);
  }
  if (!isResumed && !((options as AskOptions).timeoutMs >= 1_000))
    throw new TypeError('timeoutMs must be 1,000 or more.');
}
