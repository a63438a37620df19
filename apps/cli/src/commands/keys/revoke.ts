import type { ApiKey } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import { reportRemainingPosts } from './remaining-posts.ts';
import { isLive, keyFor } from './resolve-key.ts';

export function addRevokeKey(keys: Command, cli: Cli): void {
  const command = keys
    .command('revoke')
    .description('Revoke a key immediately and permanently')
    .argument('[key]', 'Key ID or name')
    .option('-y, --yes', 'Skip the confirmation')
    .action((key: string | undefined, options: { yes?: boolean }) => revokeKey(cli, key, options));
  helpNotes(command, {
    prints: 'The name and ID of the key.\nWith --json: {"id", "name", "state", "revokedAt", …}.',
    exits: ADMIN_EXITS,
    examples: ['hubctl keys revoke canary-watch', 'hubctl keys revoke key_01KA3T8Q6V5M0G7ZB4W2N9RXEC --yes --json'],
  });
}

async function revokeKey(cli: Cli, reference: string | undefined, options: { yes?: boolean }): Promise<void> {
  const missing = 'Specify a key: hubctl keys revoke KEY --yes';
  const key = await keyFor(cli, { reference, missing, matches: isLive });
  await cli.confirm(options.yes, `Revoke ${key.name} (${key.hint}, Hub ${key.hubName})? This cannot be undone.`);
  const revoked = await cli.api.post<ApiKey>(`/keys/${key.id}/revocation`);
  if (cli.json) return cli.output.document(revoked);
  cli.output.line(`Revoked key ${revoked.name} ${revoked.id}`);
  reportRemainingPosts(cli, revoked);
}
