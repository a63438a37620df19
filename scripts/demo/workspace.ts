import type { Role, Scope } from '@hub/contract';

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
  issuer: UserName;
  /** Days until it expires; `null` if it never does. */
  days: number | null;
}

const ALL_USERS: readonly UserName[] = ['mara', 'tomas', 'priya', 'jonas', 'ines'];
const MESSAGES: readonly Scope[] = ['messages:create'];
const ALL_SCOPES: readonly Scope[] = ['messages:create', 'notes:create', 'todos:create'];

/** A small shop that sells posters, with a team of five. */
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
    { key: 'deploys', name: 'Deploys', members: ALL_USERS },
    { key: 'alerts', name: 'Alerts', members: ['mara', 'tomas', 'jonas', 'ines'] },
    { key: 'backups', name: 'Backups', members: ['mara', 'ines', 'jonas'] },
    { key: 'releases', name: 'Releases', members: ALL_USERS },
    { key: 'website', name: 'Website', members: ['mara', 'priya', 'tomas'] },
    { key: 'team', name: 'Team room', members: ALL_USERS },
  ],
  keys: [
    { name: 'deploy-pipeline', hub: 'deploys', scopes: ALL_SCOPES, issuer: 'tomas', days: 365 },
    { name: 'canary-watch', hub: 'deploys', scopes: ALL_SCOPES, issuer: 'tomas', days: 90 },
    { name: 'uptime-probe', hub: 'alerts', scopes: ALL_SCOPES, issuer: 'jonas', days: 90 },
    { name: 'log-sentry', hub: 'alerts', scopes: MESSAGES, issuer: 'tomas', days: 90 },
    { name: 'backup-nightly', hub: 'backups', scopes: MESSAGES, issuer: 'ines', days: 90 },
    { name: 'restore-drill', hub: 'backups', scopes: ALL_SCOPES, issuer: 'ines', days: 30 },
    { name: 'release-notes', hub: 'releases', scopes: ALL_SCOPES, issuer: 'priya', days: 365 },
    { name: 'contact-form', hub: 'website', scopes: ALL_SCOPES, issuer: 'mara', days: null },
    { name: 'page-speed', hub: 'website', scopes: MESSAGES, issuer: 'priya', days: 6 },
  ],
};
