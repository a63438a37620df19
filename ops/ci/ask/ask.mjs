/**
 * Asks a question in a Hub from a CI job, and waits for its answer. Needs Node 18 or later, and nothing else. action.yml
 * runs it. Exits with 1 if the answer is HUB_DENY, if nobody answers in time, or if the question cannot be asked.
 */
import { appendFileSync } from 'node:fs';

const EVERY_MS = 2_000;
const TIMEOUT_MS = 30_000;
/** How long the server may be away when the question should have expired. */
const GRACE_MS = 10 * 60_000;

class Failed extends Error {}

const env = (name) => (process.env[name] ?? '').trim();
const list = (name) =>
  env(name)
    .split(',')
    .flatMap((each) => each.trim() || []);
/** One line without control characters: text from a server must not become a command of the runner or terminal. */
const plain = (text) => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ');
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const [url, token, hub, text, deny] = ['HUB_URL', 'HUB_TOKEN', 'HUB_HUB', 'HUB_TEXT', 'HUB_DENY'].map(env);

async function request(method, path, body) {
  const response = await fetch(`${url.replace(/\/+$/, '')}/api/v1${path}`, {
    method,
    redirect: 'manual',
    headers: { authorization: `Bearer ${token}`, accept: 'application/json', 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const parsed = await response.json().catch(() => ({}));
  if (response.ok) return parsed;
  const message = plain(parsed.message ?? `The url returned ${response.status}, but not from a Hub server.`);
  throw Object.assign(new Failed(message), { isTemporary: response.status >= 500 || response.status === 429 });
}

async function idOfHub() {
  if (/^hub_[0-9A-Z]{26}$/.test(hub)) return hub;
  for (let before = ''; before !== null; ) {
    const { items, next } = await request('GET', `/hubs?limit=100${before && `&before=${before}`}`);
    const found = items.find(({ name }) => name === hub);
    if (found) return found.id;
    before = next;
  }
  throw new Failed(`The account of the token has no Hub named ${hub}.`);
}

/** Reads the question until it is closed. A server that is away for a while does not matter. */
async function closed(id, timeoutMs) {
  for (const end = Date.now() + timeoutMs + GRACE_MS; ; await sleep(EVERY_MS)) {
    try {
      const { question } = await request('GET', `/items/${id}`);
      if (!question) throw new Failed('The question was deleted.');
      if (question.state !== 'open') return question;
    } catch (error) {
      if ((error instanceof Failed && !error.isTemporary) || Date.now() > end) throw error;
    }
  }
}

const output = (name, value) => {
  if (env('GITHUB_OUTPUT') !== '') appendFileSync(env('GITHUB_OUTPUT'), `${name}=${plain(value)}\n`);
};

async function main() {
  if (token === '') throw new Failed('The token is empty. Is the secret available to this job? Forks do not get it.');
  if (!token.startsWith('hub_pat_')) throw new Failed('The token is not a personal access token: hub_pat_…');
  console.log(`::add-mask::${token}`);
  const minutes = Number(env('HUB_TIMEOUT_MINUTES'));
  const [choices, answerBy] = [list('HUB_CHOICES'), list('HUB_FROM')];
  if (!(minutes > 0)) throw new Failed('timeout-minutes must be a number above 0.');
  if (deny !== '' && !choices.includes(deny)) throw new Failed(`deny must be one of the choices, and ${deny} is none.`);
  const question = {
    ...(choices.length > 0 && { choices }),
    ...(answerBy.length > 0 && { answerBy }),
    expiresInSeconds: Math.ceil(minutes * 60),
  };
  const { id } = await request('POST', `/hubs/${await idOfHub()}/messages`, { text, question });
  output('id', id);
  console.log(`Asked: ${url.replace(/\/+$/, '')}/p/${id}`);
  const { answer } = await closed(id, minutes * 60_000);
  if (!answer) throw new Failed('Nobody answered in time.');
  output('answer', answer.choice ?? '');
  output('by', answer.by.name);
  const said = plain(`${answer.by.name} answered ${answer.choice ?? 'in the thread'}.`);
  if (answer.choice === deny) throw new Failed(said);
  console.log(said);
}

await main().catch((error) => {
  const reason =
    error instanceof Failed ? error.message : `The server cannot be reached (${error.cause?.code ?? error.message}).`;
  console.log(`::error title=Hub::${plain(reason).replaceAll('%', '%25')}`);
  process.exitCode = 1;
});
