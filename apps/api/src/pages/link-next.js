// After a link was used: who is signed in, and how to go on with hubctl.
const list = document.querySelector('#next');
const copied = document.querySelector('#copied');

/** `person` is the answer of the server, `hubName` the first Hub, if there is one. */
export function showNext(kind, person, hubName) {
  const login = ['Sign in from a terminal:', `hubctl login ${location.origin} --email ${word(person.email)}`];
  const hub = hubName === undefined ? [['Make the first Hub:', 'hubctl hubs create Releases']] : [];
  const issue = `hubctl keys issue --hub ${word(hubName ?? 'Releases')} --name ci --scopes messages,notes,todos`;
  const steps = {
    setup: [login, ...hub, ['Issue a key, so that a program can post:', issue], ['Watch what arrives:', 'hubctl tail']],
    invitation: [login, ['Watch what arrives:', 'hubctl tail']],
    password_reset: [login],
  };
  list.replaceChildren(...steps[kind].map(step));
  list.hidden = false;
  document.querySelector('#hubctl').hidden = false;
}

function step([text, line]) {
  const item = document.querySelector('#step').content.cloneNode(true);
  const code = item.querySelector('code');
  const button = item.querySelector('button');
  item.querySelector('p').textContent = text;
  code.append(...line.split(' ').flatMap((part, index) => (index === 0 ? [unbroken(part)] : [' ', unbroken(part)])));
  button.setAttribute('aria-label', `Copy: ${line}`);
  button.addEventListener('click', () => copy(code, button));
  return item;
}

/** A word of a command, which does not end a line after its hyphens. */
function unbroken(text) {
  const part = document.createElement('span');
  part.textContent = text;
  return part;
}

/** Without https browsers let no page write to the clipboard; then the line is selected instead. */
async function copy(code, button) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    for (const done of list.querySelectorAll('.is-done')) done.classList.remove('is-done');
    button.classList.add('is-done');
    copied.textContent = 'Copied.';
  } catch {
    getSelection().selectAllChildren(code);
    copied.textContent = 'The line is selected. Copy it with the keyboard.';
  }
}

/** As one word of a POSIX shell. */
function word(text) {
  return /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
