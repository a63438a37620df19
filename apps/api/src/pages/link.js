// The pages that set-up, invitation and reset links lead to. The secret of the link stands behind the #, which browsers
// send to nobody. It stays in the address until it was used, so that a reload loses nothing; what the history holds after
// that is of no use. Storage would be one more place to forget it in.
import { checkForm, isWaiting, readForm, setWaiting, showRefusal, showTrouble } from './link-form.js';

const PAGES = { setup: '/setup', invitation: '/join', password_reset: '/reset' };

const show = (id, isShown = true) => {
  document.querySelector(id).hidden = !isShown;
};
const write = (id, text) => {
  document.querySelector(id).textContent = text;
};

const { kind } = document.querySelector('.card').dataset;
const form = document.querySelector('#form');
const token = location.hash.slice(1);

// Somebody puts another link into the address bar of this page.
addEventListener('hashchange', () => location.reload());

form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (!isWaiting() && checkForm()) void redeem(readForm());
});
document.querySelector('#again').addEventListener('click', inspect);

if (token === '')
  die('This page needs a link', 'Open the link again, the whole of it: its secret stands behind the #.');
else void inspect();

/** Asks what the link is for, and shows the form if it still works. */
async function inspect() {
  show('#again', false);
  showTrouble('');
  const soon = setTimeout(() => show('#checking'), 150);
  const answer = await ask('/api/v1/links/inspection', { token });
  clearTimeout(soon);
  show('#checking', false);
  if (!answer.ok) return answer.isFinal ? dieOf(answer.message) : offerAgain(answer.message);
  const { body } = answer;
  // The same secret on the page of another kind: a link that was put together by hand.
  if (body.kind !== kind) return location.replace(`${PAGES[body.kind]}#${token}`);
  describe(body);
  show('#form');
  show('#foot');
  form.querySelector('input:not([readonly])').focus();
}

function describe({ email, workspaceName, expiresAt }) {
  if (kind === 'invitation') write('#title', `Join ${workspaceName}`);
  document.title = `${document.querySelector('#title').textContent} · ${workspaceName}`;
  if (email !== null) form.querySelector('#email').value = email;
  if (expiresAt === null) return;
  const until = new Date(expiresAt).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short' });
  write('#foot', `The link works once, until ${until}.`);
}

async function redeem(fields) {
  setWaiting(true);
  showTrouble('');
  // The address of an account that exists, or is promised, is the server's to say.
  const { email, ...rest } = fields;
  const answer = await ask('/api/v1/links/redemption', { token, ...(kind === 'setup' ? fields : rest) });
  if (answer.ok) return enter();
  setWaiting(false);
  if (answer.isFinal) dieOf(answer.message);
  else showRefusal(answer.message);
}

/** Whoever used it is signed in: into the workspace, which says welcome. */
function enter() {
  history.replaceState(null, '', location.pathname);
  location.replace(`/?welcome=${kind}`);
}

/** The link is of no use any more. */
function dieOf(message) {
  die('This link does not work', message);
}

function die(title, message) {
  form.remove();
  show('#foot', false);
  write('#title', title);
  write('#lead', message);
  show('#dead');
  document.title = `${title} · Hub`;
  document.querySelector('#title').focus();
}

function offerAgain(message) {
  showTrouble(message);
  show('#again');
}

/** Never throws. `isFinal`: the link is unknown, used or expired, and asking again would not help. */
async function ask(path, fields) {
  try {
    const answer = await fetch(path, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    });
    const body = await answer.json();
    if (answer.ok) return { ok: true, body };
    const id = answer.headers.get('x-request-id');
    const reference = answer.status >= 500 && id !== null ? ` (request ${id})` : '';
    return { ok: false, isFinal: answer.status === 404, message: `${body.message}${reference}` };
  } catch {
    return {
      ok: false,
      isFinal: false,
      message: 'The server cannot be reached. Check your connection, then try again.',
    };
  }
}
