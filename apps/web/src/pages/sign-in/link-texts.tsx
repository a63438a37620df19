import type { LinkKind } from '@hub/contract';
import { LIMITS } from '@hub/contract/limits';
import type { ComponentChildren } from 'preact';

export type FieldName = 'email' | 'name' | 'password' | 'workspaceName' | 'hubName';

export interface LinkField {
  name: FieldName;
  label: string;
  /** The error if nothing is entered; without it, the field is optional. */
  missing?: string;
  maxLength?: number;
  placeholder?: string;
  autocomplete?: 'name' | 'username' | 'off';
}

export interface LinkTexts {
  title: string;
  description: string;
  submitLabel: string;
  fields: readonly LinkField[];
  /** The advice if the link is no longer valid. */
  wayOut: ComponentChildren;
}

const { userNameCodePoints, hubNameCodePoints, passwordMinCodePoints, passwordMaxCodePoints } = LIMITS;
const MISSING_EMAIL = 'Enter your e-mail address.';
const EMAIL: LinkField = { name: 'email', label: 'E-mail', autocomplete: 'username', missing: MISSING_EMAIL };
const NAME: LinkField = {
  name: 'name',
  label: 'Your name',
  autocomplete: 'name',
  maxLength: userNameCodePoints,
  missing: 'Enter your name.',
};
const password = (label: string): LinkField => ({
  name: 'password',
  label,
  maxLength: passwordMaxCodePoints,
  missing: `Enter a password of at least ${passwordMinCodePoints} characters.`,
});
const optional = (name: FieldName, label: string, placeholder: string): LinkField => ({
  name,
  label,
  placeholder,
  maxLength: hubNameCodePoints,
});

/** Loads the page, since this one has no session: the target keeps the app from following the link. */
const signInLink = (
  <a href="/" target="_self">
    sign in
  </a>
);

export const TEXTS: Readonly<Record<LinkKind, LinkTexts>> = {
  setup: {
    title: 'Set up your workspace',
    description: 'Create your account. You can change the names later.',
    fields: [
      NAME,
      EMAIL,
      password('Password'),
      optional('workspaceName', 'Workspace name', 'Example Ltd'),
      optional('hubName', 'First Hub', 'Releases'),
    ],
    submitLabel: 'Set up',
    wayOut: (
      <>
        If this server isn’t set up yet, run <code>hubctl setup-link</code> on its machine to get a new link. Otherwise,{' '}
        {signInLink}.
      </>
    ),
  },
  invitation: {
    title: 'Join the workspace',
    description: 'You’ve been invited. Choose a display name and a password.',
    fields: [EMAIL, NAME, password('Password')],
    submitLabel: 'Join',
    wayOut: <>If you’ve already joined, {signInLink}.</>,
  },
  password_reset: {
    title: 'Choose a new password',
    description: 'This replaces your current password and signs you out everywhere else.',
    fields: [EMAIL, password('New password')],
    submitLabel: 'Set password',
    wayOut: 'Admins create reset links.',
  },
  email_change: {
    title: 'Confirm your address',
    description: 'Sign in with this address from now on.',
    fields: [EMAIL],
    submitLabel: 'Confirm address',
    wayOut: 'Change your address again in your profile to get a new link.',
  },
};
