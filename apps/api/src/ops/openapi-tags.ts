interface Chapter {
  readonly name: string;
  readonly description: string;
  /** The paths of its operations. */
  readonly paths: RegExp;
}

/** The chapters of the page, in their order. The first whose pattern a path matches has its operations. */
const CHAPTERS: readonly Chapter[] = [
  {
    name: 'Public API',
    description: 'Create-only, for programs that hold an API key.',
    paths: /^\/api\/public\/v1\//,
  },
  {
    name: 'Stream and search',
    description: 'Messages, notes and to-dos of all Hubs of the caller in one feed, and what is among them.',
    paths: /^\/api\/v1\/(stream|mentions(\/read)?|search)$/,
  },
  {
    name: 'Items',
    description:
      'Messages, notes and to-dos: what people write, answer, edit, check off, react to and convert, and what keys have posted.',
    paths: /^\/api\/v1\/(hubs\/\{hubId\}\/)?(messages|notes|todos|items)(\/|$)/,
  },
  {
    name: 'Live',
    description: 'Hubs as they change: every event once and in order, over one WebSocket.',
    paths: /^\/api\/v1\/live$/,
  },
  {
    name: 'Hubs',
    description: 'Each has one conversation, one notes bucket, one to-do bucket, and the people who belong to it.',
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
    description: 'What oneself is told of, and by push in which browsers.',
    paths: /^\/api\/v1\/me\/(notices|push-subscriptions)(\/|$)/,
  },
  {
    name: 'Signing in',
    description: 'The session of a browser, the own account, its sessions and its personal access tokens.',
    paths: /^\/api\/v1\/(session|me)(\/|$)/,
  },
  {
    name: 'People',
    description: 'The accounts of the workspace, their pictures, and invitations to it.',
    paths: /^\/api\/v1\/(people|invitations|pictures)(\/|$)/,
  },
  {
    name: 'Links',
    description: 'Links that work once: they set the workspace up, accept an invitation or choose a new password.',
    paths: /^\/api\/v1\/(links\/|setup-link$)/,
  },
  {
    name: 'Workspace',
    description: 'Its settings, its audit log, its backups, and how its server does.',
    paths: /^\/api\/v1(\/(workspace(\/bot-picture)?|audit|status|backups(\/.*)?))?$/,
  },
];

/** As the document lists them. */
export const tags = CHAPTERS.map(({ name, description }) => ({ name, description }));

/** The name of the chapter that a path of the document belongs to; `undefined` if none has it. */
export function tagOf(path: string): string | undefined {
  return CHAPTERS.find(({ paths }) => paths.test(path))?.name;
}
