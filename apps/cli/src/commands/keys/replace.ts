import type { IssuedKey } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import { addExpiryOptions, type ExpiryOptions, readExpiry } from './expiry.ts';
import { addOutOption, ISSUED_PRINTS, type OutOptions, revealKey } from './hand-over-key.ts';
import { expiryText } from './issue.ts';
import { reportRemainingPosts } from './left-posts.ts';
import { olderLiveKeys, warnOfOlder } from './older-keys.ts';
import { canSucceed, keyFor } from './resolve-key.ts';

export type ReplaceKeyOptions = ExpiryOptions & OutOptions & { yes?: boolean };

export function addReplaceKey(keys: Command, cli: Cli): void {
  const command = keys
    .command('replace')
    .description('for a leaked key: give it a successor and end the old one at once')
    .argument('[key]', 'its id or name')
    .option('-y, --yes', 'do not ask for confirmation at a terminal');
  addOutOption(addExpiryOptions(command)).action((key: string | undefined, options: ReplaceKeyOptions) =>
    replaceKey(cli, key, options),
  );
  helpNotes(command, {
    prints: `Of the successor. ${ISSUED_PRINTS}`,
    more: {
      title: 'Confirmation',
      text:
        'The old key ends at once, for whoever uses it. At a terminal this asks first; without one,\n' +
        'and with --json, it acts without --yes: a leak must not wait. For a key that did not leak,\n' +
        'use hubctl keys rotate, which leaves the old key 24 hours more. An older key that still works\n' +
        'since such a rotation is named, with how to end it.',
    },
    exits: ADMIN_EXITS,
    examples: ['hubctl keys replace canary-watch'],
  });
}

export async function replaceKey(cli: Cli, reference: string | undefined, options: ReplaceKeyOptions): Promise<void> {
  const expiry = readExpiry(options, cli.deps.clock.now());
  const missing = 'Say which key: hubctl keys replace KEY';
  const old = await keyFor(cli, { reference, missing, matches: canSucceed });
  // Whoever replaces a leaked key from a script must not be held up; a person may have meant `rotate`.
  if (cli.canAsk)
    await cli.confirm(options.yes, `Replace ${old.name} (${old.hint})? The old key stops working at once.`);
  const older = await olderLiveKeys(cli, old);
  await revealKey(
    cli,
    options,
    () => cli.api.post<IssuedKey>(`/keys/${old.id}/replacement`, expiry),
    (successor) => [
      `The successor of ${old.name} (${old.id}) is ${successor.id}.`,
      `It ${expiryText(successor, cli.deps.clock.now())}.`,
      `The old key ${old.hint} has stopped working.`,
    ],
  );
  reportRemainingPosts(cli, old);
  warnOfOlder(cli, older);
}
