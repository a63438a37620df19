import { LIMITS, type LinkKind } from '@hub/contract';
import { ICONS, MARK, ORBITS } from './drawings.ts';

/** Where the files of the pages are. */
export const ASSETS_PATH = '/assets';

interface LinkPage {
  title: string;
  /** Under the title, before anything is known of the link. */
  lead: string;
  fields: string[];
  action: string;
  foot: string;
  /** What to do if the link does not work. */
  wayOut: string;
}

interface Field {
  name: string;
  label: string;
  /** The rest of the attributes of the input. */
  input: string;
  help?: string;
}

function field({ name, label, input, help }: Field): string {
  const describedBy = help === undefined ? `${name}-error` : `${name}-help ${name}-error`;
  return [
    `<div class="field"><label for="${name}">${label}</label>`,
    `<input id="${name}" name="${name}" ${input} aria-describedby="${describedBy}">`,
    help === undefined ? '' : `<p class="help" id="${name}-help">${help}</p>`,
    `<p class="error" id="${name}-error" hidden></p></div>`,
  ].join('');
}

const NAME = field({
  name: 'name',
  label: 'Your name',
  input: `type="text" autocomplete="name" data-most="${LIMITS.userNameCodePoints}" required`,
});
const OWN_EMAIL = field({ name: 'email', label: 'E-mail', input: 'type="email" autocomplete="username" required' });
/** Of the account that the link is for: shown, and there for password managers. */
const GIVEN_EMAIL = field({ name: 'email', label: 'E-mail', input: 'type="email" autocomplete="username" readonly' });
const WORKSPACE_NAME = field({
  name: 'workspaceName',
  label: 'Name of the workspace <span class="optional">optional</span>',
  input: `type="text" autocomplete="organization" data-most="${LIMITS.hubNameCodePoints}"`,
});
const HUB_NAME = field({
  name: 'hubName',
  label: 'First Hub <span class="optional">optional</span>',
  input: `type="text" autocomplete="off" data-most="${LIMITS.hubNameCodePoints}"`,
  help: 'Where posts arrive, such as Releases.',
});

const password = (label: string) =>
  [
    `<div class="field"><label for="password">${label}</label><div class="with-button">`,
    '<input id="password" name="password" type="password" autocomplete="new-password" required',
    ` minlength="${LIMITS.passwordMinCodePoints}" data-most="${LIMITS.passwordMaxCodePoints}"`,
    ' aria-describedby="password-help password-error">',
    `<button class="icon-button" id="show-password" type="button" aria-pressed="false" aria-label="Show the password">${ICONS.eye}${ICONS.eyeOff}</button></div>`,
    `<p class="help" id="password-help">At least ${LIMITS.passwordMinCodePoints} characters, of any kind.</p>`,
    '<p class="error" id="password-error" hidden></p></div>',
  ].join('');

const PAGES: Record<LinkKind, LinkPage> = {
  setup: {
    title: 'Set up your Hub',
    lead: 'You become the owner of this server. Everything here can be changed later.',
    fields: [NAME, OWN_EMAIL, password('Password'), WORKSPACE_NAME, HUB_NAME],
    action: 'Set up',
    foot: 'The link works until there is an owner.',
    wayOut:
      'If nobody has set this server up yet, make another link on its own machine: <code>hubctl setup-link</code>. Otherwise <a href="/">sign in</a>.',
  },
  invitation: {
    title: 'Join the workspace',
    lead: 'You have been invited. Choose the name that the others see, and a password.',
    fields: [GIVEN_EMAIL, NAME, password('Password')],
    action: 'Join',
    foot: 'The link works once.',
    wayOut: 'Ask whoever invited you for another link. If you have joined already, <a href="/">sign in</a>.',
  },
  password_reset: {
    title: 'Choose a new password',
    lead: 'It takes the place of the one that you had, and signs you out everywhere else.',
    fields: [GIVEN_EMAIL, password('New password')],
    action: 'Set the password',
    foot: 'The link works once.',
    wayOut: 'Ask an admin of the workspace for another link.',
  },
};

/** What every page of the server's own begins with, up to what only some of them load. */
export function pageHead(title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · Hub</title>
<script src="${ASSETS_PATH}/theme.js"></script>
<link rel="icon" href="${ASSETS_PATH}/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${ASSETS_PATH}/link.css">
<link rel="stylesheet" href="${ASSETS_PATH}/link-form.css">`;
}

/** The page that a link of this kind leads to. What stands behind its `#`, only the script sees. */
export function linkPage(kind: LinkKind): string {
  const { title, lead, fields, action, foot, wayOut } = PAGES[kind];
  return `${pageHead(title)}
<script type="module" src="${ASSETS_PATH}/link.js"></script>
</head>
<body>
<main>
${ORBITS}
<div class="card" data-kind="${kind}">
${MARK}
<h1 id="title" tabindex="-1">${title}</h1>
<p class="lead" id="lead">${lead}</p>
<p class="lead" id="checking" role="status" hidden>Checking the link…</p>
<noscript><p class="lead">This page needs JavaScript: the secret of your link stands behind its #, and browsers send that to nobody.</p></noscript>
<div id="dead" hidden><p class="lead">${wayOut}</p></div>
<div id="form-error" class="form-error" role="alert" hidden><p id="form-error-text"></p></div>
<button class="button is-main" id="again" type="button" hidden>Try again</button>
<form id="form" aria-labelledby="title" novalidate hidden>
${fields.join('\n')}
<button class="button is-main" type="submit">${action}</button>
</form>
<p class="foot" id="foot" hidden>${foot}</p>
</div>
</main>
</body>
</html>
`;
}
