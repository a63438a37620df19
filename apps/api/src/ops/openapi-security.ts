import type { Access } from '../http/workspace-gate.ts';

type Requirement = Readonly<Record<string, readonly string[]>>;

const KEY: Requirement = { key: [] };
const TOKEN: Requirement = { token: [] };
const SESSION: Requirement = { session: [] };

/** What opens an operation of the public API. */
export const keySecurity: readonly Requirement[] = [KEY];

/** What opens an operation of the workspace API: any one of these; none is needed if there are none. */
export function securityOf(access: Access): readonly Requirement[] {
  if (access === 'anyone') return [];
  return access === 'session' ? [SESSION] : [TOKEN, SESSION];
}

const AUDIENCE: Readonly<Record<Access, string>> = {
  anyone: 'Open to anyone.',
  member: 'Needs an account; the local admin needs none.',
  person: 'Needs an account, which the local admin has not.',
  session: 'Needs a session: with a personal access token it is 403.',
  admin: 'Needs the rights of an admin.',
  owner: 'Needs an owner, or the local admin.',
};

/** Whom an operation is for, in words. */
export function audienceOf(access: Access): string {
  return AUDIENCE[access];
}

export const securitySchemes = {
  key: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'hub_live_…',
    description:
      'An API key (`hub_live_…`), as `hubctl keys issue` shows it once. It is bound to one Hub and its scopes, and opens the public API alone.',
  },
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'hub_pat_…',
    description:
      'A personal access token (`hub_pat_…`), as `POST /api/v1/me/tokens` shows it once. It may do what its person may, but for changing the password and making tokens.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'hub_session',
    description:
      'The cookie that signing in sets (`__Host-hub_session` where the server is behind https). With it, whatever writes, and opening the live connection, must carry the `Origin` of this server, which browsers add by themselves; with another one, or none, it is 403.',
  },
} as const;
