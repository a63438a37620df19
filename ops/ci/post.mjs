/**
 * Posts one message, note or to-do to a Hub from a CI job. Needs Node 18 or later, and nothing else. action.yml and
 * gitlab.yml run it. Settings are environment variables: HUB_URL, HUB_API_KEY, HUB_KIND (message, note or todo),
 * HUB_TEXT, HUB_FILE, HUB_BLOCKS, HUB_FILES (paths, one a line), HUB_TITLE, HUB_DUE_DATE, HUB_PRIORITY, HUB_TRUNCATE
 * (head or tail), HUB_MARKER. A failed post is a warning, unless HUB_REQUIRED is `true`.
 *
 * It never posts twice: a request is only repeated if it surely stored nothing.
 */
import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';

const ATTEMPTS = 3;
/** The longest wait before a repeated request, in seconds. A blocked key has to wait for up to 300. */
const MAX_WAIT_S = 60;
const TIMEOUT_MS = 30_000;
const UPLOAD_TIMEOUT_MS = 300_000;
const MAX_FILES = 10;
const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** The codes of errors that occur before anything of the request is sent. */
const NOT_SENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;
/** The codes of a failed TLS handshake, which comes before the request. */
const NOT_TRUSTED = /^(CERT_|ERR_TLS_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_)/;
const NO_TLS = /^(ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)|EPROTO)$/;
/** What each kind consists of. `limit` is the most characters of its text (docs/public-api.md). */
const KINDS = {
  message: { path: 'messages', text: 'text', limit: 40_000, fields: ['blocks'] },
  note: { path: 'notes', text: 'content', limit: 200_000, fields: ['title'] },
  todo: { path: 'todos', text: 'content', limit: 40_000, fields: ['title', 'due-date', 'priority'] },
};

class CannotPost extends Error {}

const env = (name) => (process.env[name] ?? '').trim();
const isGitHub = process.env.GITHUB_ACTIONS === 'true';

/** Escapes the message of a workflow command (docs.github.com, "Workflow commands"). */
const escaped = (text) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** Prints a warning or an error of the job. */
function report(text, isError = false) {
  console.log(isGitHub ? `::${isError ? 'error' : 'warning'} title=Hub::${escaped(plain(text))}` : plain(text));
}

/** One line without control characters: text from a server must not become a command of the runner or terminal. */
const plain = (text) => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ');

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
  if (!['', 'true', 'false'].includes(env('HUB_REQUIRED')))
    throw new CannotPost(`Required must be true or false, not ${env('HUB_REQUIRED')}.`);
  const [url, key, marker] = ['HUB_URL', 'HUB_API_KEY', 'HUB_MARKER'].map(env);
  if (key === '') throw new CannotPost('The key is empty. Is the secret available to this job? Forks do not get it.');
  if (isGitHub) console.log(`::add-mask::${escaped(key)}`);
  if (!/^hub_live_[0-9A-Za-z]{40}$/.test(key)) throw new CannotPost('The key is not an API key: hub_live_…');
  if (!isWebAddress(url))
    throw new CannotPost('The url is not the address of a Hub server, such as https://hub.example.org.');
  const name = env('HUB_KIND') || 'message';
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  if (!kind) throw new CannotPost(`The kind must be message, note or todo, not ${name}.`);
  if (marker !== '' && !/^[0-9A-Za-z][\w.:/#@+-]{0,99}$/.test(marker))
    throw new CannotPost('The marker must be a word such as build-4711: letters, digits and ._:/#@+-');
  return {
    key,
    body: readBody(name, kind, marker),
    path: kind.path,
    // Also the address of an operation, as it is copied from a curl command.
    url: `${url.replace(/\/+$/, '').replace(/\/api\/public\/v1(\/\w+)?$/, '')}/`,
  };
}

/** The files to attach, each on a line. */
function filesToAttach() {
  const files = env('HUB_FILES')
    .split('\n')
    .flatMap((line) => line.trim() || []);
  if (files.length > MAX_FILES)
    throw new CannotPost(`There are ${files.length} files; at most ${MAX_FILES} are possible.`);
  return files;
}

/** Uploads a file, and returns its id. A post without it is better than none, unless the post is required. */
async function uploaded(request, file) {
  try {
    const name = encodeURIComponent(basename(file));
    return await sent({ ...request, path: `files?name=${name}`, body: readBytes(file) });
  } catch (error) {
    if (!(error instanceof CannotPost) || env('HUB_REQUIRED') === 'true') throw error;
    report(`${file} is not attached. ${error.message}`);
    return [];
  }
}

function readBytes(file) {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new CannotPost(`The file ${file} cannot be read (${error.code}).`);
  }
}

function readBody(name, kind, marker) {
  const given = (input) => env(`HUB_${input.toUpperCase().replace('-', '_')}`);
  for (const input of ['title', 'due-date', 'priority', 'blocks'])
    if (given(input) !== '' && !kind.fields.includes(input)) throw new CannotPost(`A ${name} has no ${input}.`);
  const contents = ['text', 'file', 'blocks'].filter((input) => given(input) !== '');
  if (contents.length > 1) throw new CannotPost(`Use either ${contents.join(' or ')}.`);
  if (given('blocks') !== '') return { blocks: readBlocks(given('blocks'), marker) };
  const text = fitted(given('file') === '' ? given('text') : readText(given('file')), kind.limit, marker);
  const hasFiles = name === 'message' && filesToAttach().length > 0;
  if (text === '' && name !== 'todo' && !hasFiles) throw new CannotPost('The text is empty.');
  if (given('title') === '' && name === 'todo') throw new CannotPost('A to-do needs a title.');
  const fields = {
    [kind.text]: text === '' || marker === '' ? text : `${text}\n\n\`run:${marker}\``,
    title: given('title'),
    dueDate: given('due-date'),
    priority: given('priority').toUpperCase(),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}

function readText(file) {
  try {
    if (statSync(file).size > MAX_FILE_BYTES) throw new CannotPost(`The file ${file} has more than 64 MiB.`);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)).trim();
  } catch (error) {
    if (error instanceof CannotPost) throw error;
    const isText = error.code !== 'ERR_ENCODING_INVALID_ENCODED_DATA';
    throw new CannotPost(`The file ${file} ${isText ? `cannot be read (${error.code})` : 'is not UTF-8'}.`);
  }
}

/** Reads the output of Editor.js, or its list of blocks. */
function readBlocks(text, marker) {
  let blocks;
  try {
    const json = JSON.parse(text);
    blocks = Array.isArray(json) ? json : json.blocks;
  } catch {
    // Handled below.
  }
  if (!Array.isArray(blocks)) throw new CannotPost('The blocks are not a JSON list of blocks.');
  const shown = { type: 'paragraph', data: { text: `<code>run:${marker}</code>` } };
  return marker === '' ? blocks : [...blocks, shown];
}

/** Cuts text over the limit at a line end, and adds a line with both sizes. The limit counts code points. */
function fitted(text, limit, marker) {
  const end = env('HUB_TRUNCATE');
  if (!['', 'head', 'tail'].includes(end)) throw new CannotPost(`Truncate must be head or tail, not ${end}.`);
  const characters = [...text];
  const room = limit - (marker === '' ? 0 : marker.length + '\n\n`run:`'.length);
  if (characters.length <= room || end === '') return text;
  const size = room - 200;
  const kept = characters.slice(...(end === 'head' ? [0, size] : [-size])).join('');
  const line = end === 'head' ? kept.lastIndexOf('\n') : kept.indexOf('\n') + 1;
  // A line that is longer than a post is cut within.
  const part = line < 1 ? kept : end === 'head' ? kept.slice(0, line) : kept.slice(line);
  const sizes = [[...part].length, characters.length].map((count) => count.toLocaleString('en-US')).join(' of ');
  const note = `*Truncated: the ${end === 'head' ? 'first' : 'last'} ${sizes} characters*`;
  // A code block that the cut divides is closed, or opened again.
  const fence = (end === 'head' ? part : text.slice(0, text.length - part.length))
    .match(/^ {0,3}(`{3,}|~{3,}).*$/gm)
    ?.reduce((open, each) => (open === '' ? each.trim() : ''), '');
  if (end === 'head') return `${part}${fence ? `\n${fence.match(/^[`~]+/)[0]}` : ''}\n\n${note}`;
  return `${note}\n\n${fence ? `${fence.slice(0, 100)}\n` : ''}${part}`;
}

/** Says why a request failed. Throws unless it may be sent again. */
function lostRequest(error) {
  const cause = error.cause?.errors?.[0] ?? error.cause;
  const code = cause?.code ?? error.name;
  const proxy = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'].find((name) => env(name) !== '');
  if (NOT_SENT.test(code)) {
    const advice = proxy ? ` ${proxy} is set: check that proxy, and that this job has Node 22.21, 24.5 or later.` : '';
    return { problem: `The server cannot be reached (${code}).${advice}`, waitS: 5 };
  }
  if (NOT_TRUSTED.test(code))
    throw new CannotPost(
      `The certificate of the server is not trusted (${code}). Nothing was sent. ` +
        'If your own CA signed it, set NODE_EXTRA_CA_CERTS to its file.',
    );
  if (NO_TLS.test(code) && (code !== 'EPROTO' || /wrong version number/i.test(cause.message)))
    throw new CannotPost(`The server does not use TLS (${code}). Nothing was sent. Check the url.`);
  if (cause?.message === 'bad port') throw new CannotPost('Node blocks the port of the url. Nothing was sent.');
  throw new CannotPost(`The connection was lost (${code}). The post may have arrived, so it is not sent again.`);
}

/** Returns the seconds of `Retry-After`, which may be a date (RFC 9110, section 10.2.3). */
function secondsOf(retryAfter) {
  if (/^\d+$/.test(retryAfter ?? '')) return Number(retryAfter);
  const date = /^[A-Z][a-z]+, .* GMT$/.test(retryAfter ?? '') ? Date.parse(retryAfter) : Number.NaN;
  return Number.isNaN(date) ? Infinity : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

/** Sends the request once. Returns the id, or the seconds after which it may be sent again. */
async function send({ key, body, url, path }) {
  const isFile = Buffer.isBuffer(body);
  let response;
  try {
    response = await fetch(new URL(`api/public/v1/${path}`, url), {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, ...(isFile ? {} : { 'content-type': 'application/json' }) },
      body: isFile ? body : JSON.stringify(body),
      // Following a redirect would send the key to another server.
      redirect: 'manual',
      signal: AbortSignal.timeout(isFile ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS),
    });
  } catch (error) {
    return lostRequest(error);
  }
  const json = (await response.json().catch(() => undefined)) ?? {};
  const id = json.data?.id;
  if (response.status === 201 && /^[a-z]{2,8}_[0-9A-Za-z]{1,64}$/.test(id)) return { id };
  if (response.status < 300)
    throw new CannotPost(`${response.status} without an ID. The post may have arrived. Check the url.`);
  const target = response.headers.get('location')?.split('?')[0];
  if (target) throw new CannotPost(`The server redirects to ${target}. Set the url to where this begins.`);
  const advice =
    /characters; at most/.test(json.message) && !env('HUB_TRUNCATE') ? '. Set truncate to head or tail.' : '';
  const reason = json.message ?? 'The response is not from a Hub server. Check the url.';
  const problem = `${response.status}: ${reason}${advice}`;
  const waitS = secondsOf(response.headers.get('retry-after'));
  // A key that has to wait, or a server that says that it stored nothing. A 503 from a proxy says nothing about the
  // server, which may have stored the post.
  const saysNothingStored = json.statusCode === response.status && /Nothing was stored/.test(json.message);
  const isSafe = [403, 429].includes(response.status) || saysNothingStored;
  if (!isSafe || waitS > MAX_WAIT_S) throw new CannotPost(problem);
  return { problem, waitS };
}

async function post() {
  const request = readPost();
  const files = [];
  for (const file of filesToAttach()) files.push(...[await uploaded(request, file)].flat());
  if (files.length > 0) request.body.files = files;
  else if (Object.keys(request.body).length === 0) throw new CannotPost('There is neither a text nor a file.');
  return sent(request);
}

/** Sends a request, again if it surely stored nothing, and returns the id. */
async function sent(request) {
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
  const isRequired = !['', 'false'].includes(env('HUB_REQUIRED'));
  const reason = error instanceof CannotPost ? error.message : `Error in the script: ${error}`;
  report(`Not posted to the Hub. ${reason}`, isRequired);
  process.exitCode = isRequired ? 1 : 0;
}
