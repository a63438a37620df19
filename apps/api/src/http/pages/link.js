// The pages for setup, invitation and reset links. The secret of the link follows the #, which browsers never send. It
// stays in the URL until it is used, so that a reload loses nothing; after that, the history holds nothing usable.
// Storage would be one more copy to delete.
import { checkForm, isWaiting, readForm, setWaiting, showFormError, showServerError } from './link-form.js';

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

// Another link was pasted into the address bar of this page.
addEventListener('hashchange', () => location.reload());

form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (!isWaiting() && checkForm()) void redeem(readForm());
});
document.querySelector('#again').addEventListener('click', inspect);

if (token === '') showEnd('Incomplete link', 'Open the full link you were sent, including the part after the #.');
else void inspect();

/** Inspects the link, and shows the form if the link is still valid. */
async function inspect() {
  show('#again', false);
  showFormError('');
  const soon = setTimeout(() => show('#checking'), 150);
  const response = await ask('/api/v1/links/inspection', { token });
  clearTimeout(soon);
  show('#checking', false);
  if (!response.ok) return response.isFinal ? showDeadLink(response.message) : offerRetry(response.message);
  const { body } = response;
  // The secret belongs to another kind of page: the link was edited by hand.
  if (body.kind !== kind) return location.replace(`${PAGES[body.kind]}#${token}`);
  describe(body);
  show('#form');
  show('#foot', document.querySelector('#foot').textContent !== '');
  form.querySelector('input:not([readonly])').focus();
}

function describe({ email, workspaceName, expiresAt }) {
  if (kind === 'invitation') write('#title', `Join ${workspaceName}`);
  document.title = `${document.querySelector('#title').textContent} · ${workspaceName}`;
  if (email !== null) form.querySelector('#email').value = email;
  if (expiresAt === null) return;
  const expiry = new Date(expiresAt).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short' });
  write('#foot', `This link can be used once and expires on ${expiry}.`);
}

async function redeem(fields) {
  setWaiting(true);
  showFormError('');
  // The server knows the e-mail address of an existing or invited account.
  const { email, ...rest } = fields;
  const response = await ask('/api/v1/links/redemption', { token, ...(kind === 'setup' ? fields : rest) });
  if (response.ok) return enter();
  setWaiting(false);
  if (response.isFinal) showDeadLink(response.message);
  else showServerError(response.message);
}

/** Enters the workspace: redeeming the link has signed the user in. */
function enter() {
  history.replaceState(null, '', location.pathname);
  location.replace(`/?welcome=${kind}`);
}

/** Shows that the link is unknown, used or expired. */
function showDeadLink(message) {
  showEnd('This link doesn’t work', message);
}

function showEnd(title, message) {
  form.remove();
  show('#foot', false);
  write('#title', title);
  write('#lead', message);
  show('#dead');
  document.title = `${title} · Hub`;
  document.querySelector('#title').focus();
}

function offerRetry(message) {
  showFormError(message);
  show('#again');
}

/** Sends a request; never throws. `isFinal`: the link is unknown, used or expired, so a retry would not help. */
async function ask(path, fields) {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    });
    const body = await response.json();
    if (response.ok) return { ok: true, body };
    const id = response.headers.get('x-request-id');
    const reference = response.status >= 500 && id !== null ? ` (request ${id})` : '';
    return { ok: false, isFinal: response.status === 404, message: `${body.message}${reference}` };
  } catch {
    return {
      ok: false,
      isFinal: false,
      message: 'Can’t reach the server. Check your connection and try again.',
    };
  }
}
