// The form of the pages that links lead to: what stands in it, what is wrong with it, and whether it waits.
const PASSWORD_CHARACTERS = 8;

const form = document.querySelector('#form');
const formError = document.querySelector('#form-error');

/** What was typed, without what was left empty. A password counts to its last blank. */
export function readForm() {
  const fields = [...new FormData(form)].map(([name, value]) => [name, name === 'password' ? value : value.trim()]);
  return Object.fromEntries(fields.filter(([, value]) => value !== ''));
}

/** Shows every fault in its place and goes to the first one. Returns whether there is none. */
export function checkForm() {
  const faults = inputs().map((input) => [input, faultOf(input)]);
  for (const [input, fault] of faults) showFault(input, fault);
  const [first] = faults.find(([, fault]) => fault !== '') ?? [];
  first?.focus();
  return first === undefined;
}

function faultOf({ name, value, required, validity, dataset }) {
  const characters = [...(name === 'password' ? value : value.trim())].length;
  if (characters > Number(dataset.most)) return `At most ${dataset.most} characters fit; these are ${characters}.`;
  if (name === 'password') return passwordFault(value);
  if (required && value.trim() === '') return name === 'email' ? 'Type your e-mail address.' : 'Type your name.';
  return validity.typeMismatch ? 'Write it as ada@example.org.' : '';
}

function passwordFault(password) {
  const characters = [...password].length;
  if (characters >= PASSWORD_CHARACTERS) return '';
  return characters === 0
    ? `Choose a password of at least ${PASSWORD_CHARACTERS} characters.`
    : `At least ${PASSWORD_CHARACTERS} characters are needed; these are ${characters}.`;
}

/** What the server refused: at the field that it names, or above the form. */
export function showRefusal(message) {
  const input = inputs().find(({ name, readOnly }) => !readOnly && message.startsWith(`${name} `));
  if (!input) return showTrouble(message);
  showFault(input, `${input.labels[0].firstChild.textContent.trim()} ${message.slice(input.name.length + 1)}`);
  input.focus();
}

/** Shows what concerns no single field; nothing if it is empty. */
export function showTrouble(message) {
  formError.hidden = message === '';
  document.querySelector('#form-error-text').textContent = message;
}

function showFault(input, fault) {
  const place = document.querySelector(`#${input.name}-error`);
  place.textContent = fault;
  place.hidden = fault === '';
  input.setAttribute('aria-invalid', String(fault !== ''));
}

function inputs() {
  return [...form.querySelectorAll('input')];
}

/** While it waits, it cannot be sent again; the button keeps the focus. */
export function setWaiting(isWaiting) {
  form.querySelector('[type="submit"]').setAttribute('aria-disabled', String(isWaiting));
  form.setAttribute('aria-busy', String(isWaiting));
}

export function isWaiting() {
  return form.getAttribute('aria-busy') === 'true';
}

// A fault that is mended vanishes while one types; a new one waits for the button.
form.addEventListener('input', ({ target }) => {
  if (target.getAttribute('aria-invalid') === 'true') showFault(target, faultOf(target));
});

const toggle = document.querySelector('#show-password');
toggle.addEventListener('click', () => {
  const isShown = toggle.getAttribute('aria-pressed') !== 'true';
  toggle.setAttribute('aria-pressed', String(isShown));
  document.querySelector('#password').type = isShown ? 'text' : 'password';
});
