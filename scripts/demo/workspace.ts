import type { Role, Scope } from '../../packages/contract/src/index.ts';

export type UserName = 'mara' | 'tomas' | 'priya' | 'jonas' | 'ines';
export type HubName = 'deploys' | 'alerts' | 'backups' | 'releases' | 'website' | 'team';
export type KeyName =
  | 'deploy-pipeline'
  | 'canary-watch'
  | 'uptime-probe'
  | 'log-sentry'
  | 'backup-nightly'
  | 'restore-drill'
  | 'release-notes'
  | 'contact-form'
  | 'page-speed';

interface DemoUser {
  key: UserName;
  name: string;
  email: string;
  password: string;
  role: Role;
}

interface DemoHub {
  key: HubName;
  name: string;
  members: readonly UserName[];
}

interface DemoKey {
  name: KeyName;
  hub: HubName;
  scopes: readonly Scope[];
  /** By whom it is issued. */
  by: UserName;
  /** How long it is to work; `null`: until it is revoked. */
  days: number | null;
}

const ALL: readonly UserName[] = ['mara', 'tomas', 'priya', 'jonas', 'ines'];
const MESSAGES: readonly Scope[] = ['messages:create'];
const EVERYTHING: readonly Scope[] = ['messages:create', 'notes:create', 'todos:create'];

/** Who and what there is. A small shop that sells posters, and the five who keep it running. */
export const WORKSPACE: {
  readonly name: string;
  readonly users: readonly DemoUser[];
  readonly hubs: readonly DemoHub[];
  readonly keys: readonly DemoKey[];
} = {
  name: 'Workshop',
  users: [
    { key: 'mara', name: 'Mara Lindqvist', email: 'mara@workshop.example', password: 'paper and ink', role: 'owner' },
    { key: 'tomas', name: 'Tomás Okafor', email: 'tomas@workshop.example', password: 'slow span found', role: 'admin' },
    {
      key: 'priya',
      name: 'Priya Raman',
      email: 'priya@workshop.example',
      password: 'seventeen posters',
      role: 'member',
    },
    { key: 'jonas', name: 'Jonas Weber', email: 'jonas@workshop.example', password: 'quiet at night', role: 'member' },
    { key: 'ines', name: 'Ines Duarte', email: 'ines@workshop.example', password: 'copies of copies', role: 'member' },
  ],
  hubs: [
    { key: 'deploys', name: 'Deploys', members: ALL },
    { key: 'alerts', name: 'Alerts', members: ['mara', 'tomas', 'jonas', 'ines'] },
    { key: 'backups', name: 'Backups', members: ['mara', 'ines', 'jonas'] },
    { key: 'releases', name: 'Releases', members: ALL },
    { key: 'website', name: 'Website', members: ['mara', 'priya', 'tomas'] },
    { key: 'team', name: 'Team room', members: ALL },
  ],
  keys: [
    { name: 'deploy-pipeline', hub: 'deploys', scopes: EVERYTHING, by: 'tomas', days: 365 },
    { name: 'canary-watch', hub: 'deploys', scopes: EVERYTHING, by: 'tomas', days: 90 },
    { name: 'uptime-probe', hub: 'alerts', scopes: EVERYTHING, by: 'jonas', days: 90 },
    { name: 'log-sentry', hub: 'alerts', scopes: MESSAGES, by: 'tomas', days: 90 },
    { name: 'backup-nightly', hub: 'backups', scopes: MESSAGES, by: 'ines', days: 90 },
    { name: 'restore-drill', hub: 'backups', scopes: EVERYTHING, by: 'ines', days: 30 },
    { name: 'release-notes', hub: 'releases', scopes: EVERYTHING, by: 'priya', days: 365 },
    { name: 'contact-form', hub: 'website', scopes: EVERYTHING, by: 'mara', days: null },
    { name: 'page-speed', hub: 'website', scopes: MESSAGES, by: 'priya', days: 6 },
  ],
};
