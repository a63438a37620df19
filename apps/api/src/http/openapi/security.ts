import type { Access } from '@hub/contract/operations/operation';

type Requirement = Readonly<Record<string, readonly string[]>>;

const KEY: Requirement = { key: [] };
const TOKEN: Requirement = { token: [] };
const SESSION: Requirement = { session: [] };

/** The credentials for operations of the public API. */
export const keySecurity: readonly Requirement[] = [KEY];

/** Returns the credentials for an operation of the workspace API, any one of which is enough; none if it is open. */
export function securityOf(access: Access): readonly Requirement[] {
  if (access === 'anyone') return [];
  return access === 'session' ? [SESSION] : [TOKEN, SESSION];
}

const AUDIENCE: Readonly<Record<Access, string>> = {
  anyone: 'Open to anyone.',
  member: 'Requires a user account, or the local admin.',
  user: 'Requires a user account; the local admin has none.',
  session: 'Requires a session: a personal access token gets 403.',
  admin: 'Requires an admin.',
  owner: 'Requires an owner, or the local admin.',
};

/** Describes who can use an operation. */
export function audienceOf(access: Access): string {
  return AUDIENCE[access];
}

export const securitySchemes = {
  key: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'hub_live_…',
    description:
      'An API key (`hub_live_…`), as `hubctl keys issue` shows it once. It is bound to one Hub and its scopes, and only works on the public API.',
  },
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'hub_pat_…',
    description:
      'A personal access token (`hub_pat_…`), as `POST /api/v1/me/tokens` shows it once. It has the rights of its user, except changing the password and managing sessions and other tokens.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'hub_session',
    description:
      'The cookie set by signing in (`__Host-hub_session` behind https). Requests with this cookie that write or open the live connection must carry the `Origin` of this server, which browsers add automatically; any other `Origin`, or none, gets 403.',
  },
} as const;
