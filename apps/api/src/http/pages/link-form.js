// The form of the link pages: its values, its errors and its busy state.
const PASSWORD_CHARACTERS = 8;

const form = document.querySelector('#form');
const formError = document.querySelector('#form-error');

/** Returns the values by field name, without empty ones. A password is not trimmed. */
export function readForm() {
  const fields = [...new FormData(form)].map(([name, value]) => [name, name === 'password' ? value : value.trim()]);
  const ticked = [...form.querySelectorAll('[type="checkbox"]')].map(({ name, checked }) => [name, checked]);
  return Object.fromEntries([...fields.filter(([, value]) => value !== ''), ...ticked]);
}

/** Shows the error of each field and focuses the first invalid one. Returns whether all are valid. */
export function checkForm() {
  const errors = inputs().map((input) => [input, errorOf(input)]);
  for (const [input, error] of errors) showFieldError(input, error);
  const [first] = errors.find(([, error]) => error !== '') ?? [];
  first?.focus();
  return first === undefined;
}

function errorOf({ name, value, required, validity, dataset }) {
  const characters = [...(name === 'password' ? value : value.trim())].length;
  if (characters > Number(dataset.max)) return `Use at most ${dataset.max} characters (you entered ${characters}).`;
  if (name === 'password') return passwordError(value);
  if (required && value.trim() === '') return name === 'email' ? 'Enter your e-mail address.' : 'Enter your name.';
  return validity.typeMismatch ? 'Enter a valid e-mail address, such as ada@example.org.' : '';
}

function passwordError(password) {
  const characters = [...password].length;
  if (characters >= PASSWORD_CHARACTERS) return '';
  return characters === 0
    ? `Enter a password of at least ${PASSWORD_CHARACTERS} characters.`
    : `Use at least ${PASSWORD_CHARACTERS} characters (you entered ${characters}).`;
}

/** Shows an error from the server at the field that it names, or above the form. */
export function showServerError(message) {
  const input = inputs().find(({ name, readOnly }) => !readOnly && message.startsWith(`${name} `));
  if (!input) return showFormError(message);
  showFieldError(input, `${input.labels[0].firstChild.textContent.trim()} ${message.slice(input.name.length + 1)}`);
  input.focus();
}

/** Shows an error that concerns no single field; an empty message hides it. */
export function showFormError(message) {
  formError.hidden = message === '';
  document.querySelector('#form-error-text').textContent = message;
}

function showFieldError(input, error) {
  const text = document.querySelector(`#${input.name}-error`);
  text.textContent = error;
  text.hidden = error === '';
  input.setAttribute('aria-invalid', String(error !== ''));
}

function inputs() {
  return [...form.querySelectorAll('input')];
}

/** Marks the form as busy, so that it cannot be sent again; the button keeps the focus. */
export function setWaiting(isWaiting) {
  form.querySelector('[type="submit"]').setAttribute('aria-disabled', String(isWaiting));
  form.setAttribute('aria-busy', String(isWaiting));
}

export function isWaiting() {
  return form.getAttribute('aria-busy') === 'true';
}

// While you type, a fixed error disappears; a new one is shown only on submit.
form.addEventListener('input', ({ target }) => {
  if (target.getAttribute('aria-invalid') === 'true') showFieldError(target, errorOf(target));
});

const toggle = document.querySelector('#show-password');
toggle.addEventListener('click', () => {
  const isShown = toggle.getAttribute('aria-pressed') !== 'true';
  toggle.setAttribute('aria-pressed', String(isShown));
  document.querySelector('#password').type = isShown ? 'text' : 'password';
});
