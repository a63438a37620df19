import type { IssuedKey } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import { addExpiryOptions, type ExpiryOptions, readExpiry } from './expiry.ts';
import { expiryText } from './issue.ts';
import { olderLiveKeys, warnOfOlder } from './older-keys.ts';
import { reportRemainingPosts } from './remaining-posts.ts';
import { canSucceed, keyFor } from './resolve-key.ts';
import { addOutOption, ISSUED_PRINTS, type OutOptions, revealKey } from './reveal-key.ts';

type ReplaceKeyOptions = ExpiryOptions & OutOptions & { yes?: boolean };

export function addReplaceKey(keys: Command, cli: Cli): void {
  const command = keys
    .command('replace')
    .description('Replace a leaked key; the old key stops working immediately')
    .argument('[key]', 'Key ID or name')
    .option('-y, --yes', 'Skip the confirmation in a terminal');
  addOutOption(addExpiryOptions(command)).action((key: string | undefined, options: ReplaceKeyOptions) =>
    replaceKey(cli, key, options),
  );
  helpNotes(command, {
    prints: ISSUED_PRINTS.replace('The key', 'The new key'),
    more: {
      title: 'Confirmation',
      text:
        'The old key stops working immediately. In a terminal, hubctl asks first. Outside a terminal or with\n' +
        '--json, it proceeds without --yes, since a leak is urgent. If the key did not leak, use\n' +
        'hubctl keys rotate: the old key then keeps working for 24 hours. If an earlier rotation left an older\n' +
        'key working, hubctl shows how to revoke it.',
    },
    exits: ADMIN_EXITS,
    examples: ['hubctl keys replace canary-watch'],
  });
}

async function replaceKey(cli: Cli, reference: string | undefined, options: ReplaceKeyOptions): Promise<void> {
  const expiry = readExpiry(options, cli.deps.clock.now());
  const missing = 'Specify a key: hubctl keys replace KEY';
  const old = await keyFor(cli, { reference, missing, matches: canSucceed });
  // A script that replaces a leaked key must not be blocked; a user at a terminal may have meant `rotate`.
  if (cli.canAsk)
    await cli.confirm(options.yes, `Replace ${old.name} (${old.hint})? The old key stops working immediately.`);
  const older = await olderLiveKeys(cli, old);
  await revealKey(
    cli,
    options,
    () => cli.api.post<IssuedKey>(`/keys/${old.id}/replacement`, expiry),
    (successor) => [
      `Replaced ${old.name} (${old.id}) with ${successor.id}.`,
      `The new key ${expiryText(successor, cli.deps.clock.now())}.`,
      `The old key ${old.hint} no longer works.`,
    ],
  );
  reportRemainingPosts(cli, old);
  warnOfOlder(cli, older);
}
