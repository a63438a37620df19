import type { Hub, Me } from '@hub/contract';
import type { Cli } from './cli.ts';
import { CliError, EXIT, failed } from './errors.ts';
import { resolve } from './resolve.ts';
import { segment } from './workspace-api.ts';

export type HubState = 'live' | 'deleted' | 'all';

/** Resolves a Hub from its ID, or from its name if only one Hub in the given state has it. */
export function resolveHub(cli: Cli, reference: string, state: HubState): Promise<Hub> {
  return hubFor(cli, reference, '', state);
}

/** Resolves the given Hub, or lets the user choose one from a list. */
export async function hubFor(cli: Cli, reference: string | undefined, missing: string, state: HubState): Promise<Hub> {
  if (reference !== undefined && /^hub_[0-9A-Z]{26}$/.test(reference)) {
    return await cli.api.get<Hub>(`/hubs/${segment(reference)}`);
  }
  let listed = state;
  return await resolve<Hub>(
    cli,
    { reference, missing, ...(reference !== undefined && { matches: ({ deletedAt }: Hub) => deletedAt === null }) },
    {
      list: async () => {
        const list = await listHubs(cli, state);
        listed = list.listed;
        return list.hubs;
      },
      question: 'Which Hub?',
      choice: ({ name }) => name,
      none: async () => failed('not_found', await noHubs(cli, state)),
      unknown: (name, all) => (state === 'live' ? notLiveHub(cli, name, all) : unknownHub(name, all, listed)),
      ambiguous: {
        plural: 'Hubs',
        instead: 'an ID',
        line: (hub) => `${hub.id}  created ${hub.createdAt}${hub.deletedAt ? ', deleted' : ''}`,
      },
    },
  );
}

/** Lists the Hubs in a state. Only admins see deleted ones: members get live Hubs for `all` and 403 for `deleted`. */
async function listHubs(cli: Cli, state: HubState): Promise<{ hubs: Hub[]; listed: HubState }> {
  try {
    return { hubs: await cli.api.all<Hub>('/hubs', { state }), listed: state };
  } catch (error) {
    if (state !== 'all' || !isForbidden(error)) throw error;
    return await listHubs(cli, 'live');
  }
}

function isForbidden(error: unknown): boolean {
  return error instanceof CliError && error.code === 'forbidden';
}

/** Returns the error for a name that no live Hub has. For a deleted Hub it says how to restore it. */
async function notLiveHub(cli: Cli, reference: string, live: Hub[]): Promise<CliError> {
  const allDeleted = await cli.api.all<Hub>('/hubs', { state: 'deleted' }).catch((error) => {
    if (isForbidden(error)) return [];
    throw error;
  });
  const deleted = allDeleted.filter((hub) => hub.name === reference);
  if (deleted.length === 0) return unknownHub(reference, live, 'live');
  const commands = deleted.map((hub) => `  hubctl hubs restore ${hub.id}`);
  return new CliError('not_found', EXIT.failed, `The Hub "${reference}" was deleted.`, {
    hint: [deleted.length > 1 ? 'To restore it, run one of:' : 'To restore it:', ...commands].join('\n'),
    candidates: deleted.map((hub) => hub.id),
  });
}

function unknownHub(reference: string, hubs: Hub[], state: HubState): CliError {
  const sameButCase = hubs.find((hub) => hub.name.toLowerCase() === reference.toLowerCase());
  const list = state === 'live' ? 'hubctl hubs list' : `hubctl hubs list --state ${state}`;
  const kind = state === 'deleted' ? 'deleted Hub' : 'Hub';
  return failed(
    'not_found',
    `No ${kind} named "${reference}".`,
    sameButCase ? `Did you mean "${sameButCase.name}"?` : `To list them: ${list}`,
  );
}

/** Returns the message for an empty list of Hubs. Only admins can create Hubs. */
export async function noHubs(cli: Cli, state: HubState): Promise<string> {
  if (state === 'deleted') return 'No deleted Hubs.';
  const isAdmin = cli.connection.kind === 'socket' || (await cli.api.get<Me>('/me')).role !== 'member';
  return isAdmin
    ? 'No Hubs yet. Create one: hubctl hubs create NAME'
    : 'You are not a member of any Hub yet. Ask an admin to add you.';
}
