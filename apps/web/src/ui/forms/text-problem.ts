import { LIMITS } from '@hub/contract/limits';

/** Text on both sides of one `@`, without white space or invisible characters, as the server requires. */
const EMAIL =
  /^[^\s@\p{C}\p{Default_Ignorable_Code_Point}\u2800]+@[^\s@\p{C}\p{Default_Ignorable_Code_Point}\u2800]+$/u;

interface TextRules {
  type?: string | undefined;
  /** The limit of the server, in code points. */
  maxLength?: number | undefined;
}

/** Returns why the server would reject the text of a field, with the field's label; empty if it would not. */
export function textProblem(label: string, value: string, { type, maxLength }: TextRules): string {
  const text = value.trim();
  const size = [...text].length;
  if (maxLength !== undefined && size > maxLength)
    return `The ${inSentence(label)} can have at most ${maxLength} characters; this one has ${size}.`;
  if (type === 'email' && text !== '' && !EMAIL.test(text))
    return `The ${inSentence(label)} must look like name@example.org, with one @ and no spaces.`;
  return '';
}

/** Returns why the server would reject a new password because of its length; empty if it would not. */
export function shortPasswordProblem(password: string): string {
  const { length } = [...password];
  const min = LIMITS.passwordMinCodePoints;
  return length < min ? `Use at least ${min} characters; this password has ${length}.` : '';
}

/** The name of a field in an error message of the API, such as `botName`, before what is wrong with it. */
const API_FIELD = /^[a-z][A-Za-z]* (?=(?:cannot|contains|has|must) )/;

/** Returns an error message with the field's label in place of its name in the API. */
export function labelledError(label: string, error: string): string {
  return API_FIELD.test(error) ? `${error.replace(API_FIELD, `The ${inSentence(label)} `)}.` : error;
}

/** Returns a label as it is written within a sentence: "e-mail address", but "Hub name". */
function inSentence(label: string): string {
  return label.startsWith('Hub') ? label : `${label.charAt(0).toLowerCase()}${label.slice(1)}`;
}

/** Makes the text fields of a form show their problems, and focuses the first. Returns whether there are any. */
export function showProblems(form: EventTarget | null): boolean {
  if (!(form instanceof HTMLFormElement)) return false;
  const wrong = [...form.querySelectorAll('input')].filter(({ validity }) => validity.customError);
  for (const input of wrong) input.checkValidity();
  wrong[0]?.focus();
  return wrong.length > 0;
}
