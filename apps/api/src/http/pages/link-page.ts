import { LIMITS, type LinkKind } from '@hub/contract';
import { ASSETS_PATH, ICONS, MARK, ORBITS, pageHead } from './page.ts';

interface LinkPage {
  title: string;
  /** The text under the title, before the link has been inspected. */
  lead: string;
  fields: string[];
  action: string;
  /** The text at the bottom, if any, before the link has been inspected. */
  foot: string;
  /** HTML shown if the link is no longer valid, with what to do instead. */
  wayOut: string;
}

interface Field {
  name: string;
  label: string;
  /** The other attributes of the input element. */
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
  input: `type="text" autocomplete="name" data-max="${LIMITS.userNameCodePoints}" required`,
});
const OWN_EMAIL = field({ name: 'email', label: 'E-mail', input: 'type="email" autocomplete="username" required' });
/** The e-mail address of the invited or existing account, shown to the user and read by password managers. */
const GIVEN_EMAIL = field({ name: 'email', label: 'E-mail', input: 'type="email" autocomplete="username" readonly' });
const HUB_NAME = field({
  name: 'hubName',
  label: 'First Hub <span class="optional">optional</span>',
  input: `type="text" autocomplete="off" placeholder="Releases" data-max="${LIMITS.hubNameCodePoints}"`,
});

const password = (label: string) =>
  [
    `<div class="field"><label for="password">${label}</label><div class="with-button">`,
    '<input id="password" name="password" type="password" autocomplete="new-password" required',
    ` minlength="${LIMITS.passwordMinCodePoints}" data-max="${LIMITS.passwordMaxCodePoints}"`,
    ' aria-describedby="password-help password-error">',
    `<button class="icon-button" id="show-password" type="button" aria-pressed="false" aria-label="Show password">${ICONS.eye}${ICONS.eyeOff}</button></div>`,
    `<p class="help" id="password-help">At least ${LIMITS.passwordMinCodePoints} characters.</p>`,
    '<p class="error" id="password-error" hidden></p></div>',
  ].join('');

const REVOKE_TOKENS = [
  '<div class="field"><label class="check"><input id="revokeTokens" name="revokeTokens" type="checkbox" checked>',
  ' Also revoke all access tokens; programs using them get 401</label>',
  '<p class="error" id="revokeTokens-error" hidden></p></div>',
].join('');

const PAGES: Record<LinkKind, LinkPage> = {
  setup: {
    title: 'Set up your workspace',
    lead: 'Create your account.',
    fields: [NAME, OWN_EMAIL, password('Password'), HUB_NAME],
    action: 'Set up',
    foot: '',
    wayOut: `If this server isn’t set up yet, run <code>hubctl setup-link</code> on its machine to get a new link. Otherwise, <a href="/">sign in</a>.`,
  },
  invitation: {
    title: 'Join the workspace',
    lead: 'You’ve been invited. Choose a display name and a password.',
    fields: [GIVEN_EMAIL, NAME, password('Password')],
    action: 'Join',
    foot: 'This link can be used once.',
    wayOut: `If you’ve already joined, <a href="/">sign in</a>.`,
  },
  password_reset: {
    title: 'Choose a new password',
    lead: 'This replaces your current password and signs you out everywhere else.',
    fields: [GIVEN_EMAIL, password('New password'), REVOKE_TOKENS],
    action: 'Set password',
    foot: 'This link can be used once.',
    wayOut: 'Admins create reset links.',
  },
};

/** Returns the HTML of the page for a kind of link. Only the page's script sees the secret after the `#`. */
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
<noscript><p class="lead">This page needs JavaScript to read the secret in your link, which browsers never send to the server.</p></noscript>
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
