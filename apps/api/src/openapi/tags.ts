interface Chapter {
  readonly name: string;
  readonly description: string;
  /** Matches the paths of the operations in this chapter. */
  readonly paths: RegExp;
}

/** The chapters of the API docs, in order. An operation is in the first chapter whose pattern matches its path. */
const CHAPTERS: readonly Chapter[] = [
  {
    name: 'Public API',
    description: 'Create-only, for programs with an API key.',
    paths: /^\/api\/public\/v1\//,
  },
  {
    name: 'Stream and search',
    description:
      'Messages, notes and to-dos from all Hubs of the caller in one feed, mentions of the caller, and search.',
    paths: /^\/api\/v1\/(stream|mentions(\/read)?|search)$/,
  },
  {
    name: 'Items',
    description: 'Messages, notes and to-dos by users and keys: write, reply, edit, check off, react and convert.',
    paths: /^\/api\/v1\/(hubs\/\{hubId\}\/)?(messages|notes|todos|items)(\/|$)/,
  },
  {
    name: 'Live',
    description: 'Live changes in Hubs: every event once and in order, over one WebSocket.',
    paths: /^\/api\/v1\/live$/,
  },
  {
    name: 'Hubs',
    description: 'Each Hub has one conversation, one notes bucket, one to-do bucket, and its members.',
    paths: /^\/api\/v1\/hubs(\/|$)/,
  },
  {
    name: 'Keys',
    description:
      'API keys, each bound to one Hub: issue, rotate, replace and revoke them, and remove what they posted.',
    paths: /^\/api\/v1\/(keys|removals)(\/|$)/,
  },
  {
    name: 'Notices',
    description: 'What you are notified about, and the browsers that receive push notifications.',
    paths: /^\/api\/v1\/me\/(notices|push-subscriptions)(\/|$)/,
  },
  {
    name: 'Signing in',
    description: 'The session of a browser, your account, its sessions and its personal access tokens.',
    paths: /^\/api\/v1\/(session|me)(\/|$)/,
  },
  {
    name: 'People',
    description: 'User accounts, avatars, and invitations.',
    paths: /^\/api\/v1\/(people|invitations|pictures)(\/|$)/,
  },
  {
    name: 'Links',
    description: 'Single-use links: set up the workspace, accept an invitation, or set a new password.',
    paths: /^\/api\/v1\/(links\/|setup-link$)/,
  },
  {
    name: 'Workspace',
    description: 'Settings, audit log, backups, and the status of the server.',
    paths: /^\/api\/v1(\/(workspace(\/bot-picture)?|audit|status|backups(\/.*)?))?$/,
  },
];

/** The tags as listed in the document. */
export const tags = CHAPTERS.map(({ name, description }) => ({ name, description }));

/** Returns the name of the chapter for a path, or `undefined` if no chapter has this path. */
export function tagOf(path: string): string | undefined {
  return CHAPTERS.find(({ paths }) => paths.test(path))?.name;
}
