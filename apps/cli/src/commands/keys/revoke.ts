import type { ApiKey } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import { reportRemainingPosts } from './left-posts.ts';
import { isLive, keyFor } from './resolve-key.ts';

export function addRevokeKey(keys: Command, cli: Cli): void {
  const command = keys
    .command('revoke')
    .description('end a key at once and for ever')
    .argument('[key]', 'its id or name')
    .option('-y, --yes', 'do not ask for confirmation')
    .action((key: string | undefined, options: { yes?: boolean }) => revokeKey(cli, key, options));
  helpNotes(command, {
    prints: 'Its name and id.\nWith --json: {"id", "name", "state", "revokedAt", …}.',
    exits: ADMIN_EXITS,
    examples: ['hubctl keys revoke canary-watch', 'hubctl keys revoke key_01KA3T8Q6V5M0G7ZB4W2N9RXEC --yes --json'],
  });
}

export async function revokeKey(cli: Cli, reference: string | undefined, options: { yes?: boolean }): Promise<void> {
  const missing = 'Say which key: hubctl keys revoke KEY --yes';
  const key = await keyFor(cli, { reference, missing, matches: isLive });
  await cli.confirm(options.yes, `Revoke ${key.name} (${key.hint}, Hub ${key.hubName})? This cannot be undone.`);
  const revoked = await cli.api.post<ApiKey>(`/keys/${key.id}/revocation`);
  if (cli.json) return cli.output.document(revoked);
  cli.output.line(`Revoked the key ${revoked.name} ${revoked.id}`);
  reportRemainingPosts(cli, revoked);
}
