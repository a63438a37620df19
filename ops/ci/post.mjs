/**
 * Posts one message, note or to-do to a Hub from a CI job. Needs Node 18 or later, and nothing else. action.yml and
 * gitlab.yml run it. Settings are environment variables: HUB_URL, HUB_API_KEY, HUB_KIND (message, note or todo), HUB_TEXT,
 * HUB_TITLE, HUB_DUE_DATE, HUB_PRIORITY. A failed post is a warning, unless HUB_REQUIRED is `true`.
 *
 * It never posts twice: a request is only repeated if it surely stored nothing.
 */
import { appendFileSync } from 'node:fs';

const ATTEMPTS = 3;
/** The longest wait before a repeated request, in seconds. A blocked key has to wait for up to 300. */
const MAX_WAIT_S = 60;
const TIMEOUT_MS = 30_000;
/** The codes of errors that occur before anything of the request is sent. */
const NOT_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'];
const PATHS = { message: 'messages', note: 'notes', todo: 'todos' };

class CannotPost extends Error {}

const env = (name) => (process.env[name] ?? '').trim();
const isGitHub = process.env.GITHUB_ACTIONS === 'true';

/** Escapes the message of a workflow command (docs.github.com, "Workflow commands"). */
const escaped = (text) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** `URL.canParse` needs Node 18.17. */
function isWebAddress(url) {
  try {
    return /^https?:$/.test(new URL(url).protocol);
  } catch {
    return false;
  }
}

function readPost() {
  if (Number(process.versions.node.split('.')[0]) < 18)
    throw new CannotPost(`This job has Node ${process.versions.node}, and needs Node 18 or later.`);
  const [url, key, kind, text, title] = ['HUB_URL', 'HUB_API_KEY', 'HUB_KIND', 'HUB_TEXT', 'HUB_TITLE'].map(env);
  if (key === '') throw new CannotPost('The key is empty. Is the secret available to this job? Forks do not get it.');
  if (isGitHub) console.log(`::add-mask::${key}`);
  if (!/^hub_live_[0-9A-Za-z]{40}$/.test(key)) throw new CannotPost('The key is not an API key: hub_live_…');
  if (!isWebAddress(url))
    throw new CannotPost('The url is not the address of a Hub server, such as https://hub.example.org.');
  const path = PATHS[kind || 'message'];
  if (!path) throw new CannotPost(`The kind must be message, note or todo, not ${kind}.`);
  if (text === '' && path !== 'todos') throw new CannotPost('The text is empty.');
  if (title === '' && path === 'todos') throw new CannotPost('A to-do needs a title.');
  const optional = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
  const body = {
    messages: { text },
    notes: optional({ content: text, title }),
    todos: optional({
      title,
      content: text,
      dueDate: env('HUB_DUE_DATE'),
      priority: env('HUB_PRIORITY').toUpperCase(),
    }),
  }[path];
  return { key, body, endpoint: new URL(`api/public/v1/${path}`, url.endsWith('/') ? url : `${url}/`) };
}

/** Sends the request once. Returns the id, or the seconds after which it may be sent again. */
async function send({ key, body, endpoint }) {
  let response;
  try {
    response = await fetch(endpoint, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      // Following a redirect would send the key to another server.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (error) {
    const code = error.cause?.code ?? error.name;
    if (NOT_SENT.includes(code)) return { problem: `The server cannot be reached (${code}).`, waitS: 5 };
    throw new CannotPost(`The connection was lost (${code}). The post may have arrived, so it is not sent again.`);
  }
  const json = await response.json().catch(() => ({}));
  if (response.status === 201) return { id: json.data?.id ?? '' };
  const target = response.headers.get('location')?.split('?')[0];
  if (target) throw new CannotPost(`The server redirects to ${target}. Set the url to where this begins.`);
  const problem = `${response.status}: ${json.message ?? 'The response is not from a Hub server. Check the url.'}`;
  const retryAfter = response.headers.get('retry-after');
  // A key that has to wait, or a server that cannot take the post at the moment. Neither has stored anything. A 503 from a
  // proxy says nothing about the server, which may have stored the post.
  const isSafe = response.status === 403 || (response.status === 503 && json.statusCode === 503);
  const mayRepeat = isSafe && retryAfter !== null && Number(retryAfter) <= MAX_WAIT_S;
  if (!mayRepeat) throw new CannotPost(problem);
  return { problem, waitS: Number(retryAfter) };
}

async function post() {
  const request = readPost();
  for (let attempt = 1; ; attempt += 1) {
    const { id, problem, waitS } = await send(request);
    if (id !== undefined) return id;
    if (attempt === ATTEMPTS) throw new CannotPost(problem);
    await new Promise((resolve) => setTimeout(resolve, waitS * 1000));
  }
}

try {
  const id = await post();
  console.log(`Posted ${id}`);
  if (process.env.GITHUB_OUTPUT) appendFileSync(process.env.GITHUB_OUTPUT, `id=${id}\n`);
} catch (error) {
  const isRequired = env('HUB_REQUIRED') === 'true';
  const reason = error instanceof CannotPost ? error.message : `Error in the script: ${error}`;
  const text = `Not posted to the Hub. ${reason}`;
  console.log(isGitHub ? `::${isRequired ? 'error' : 'warning'} title=Hub::${escaped(text)}` : text);
  process.exitCode = isRequired ? 1 : 0;
}
