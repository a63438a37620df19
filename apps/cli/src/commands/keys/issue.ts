import { closeSync, fsyncSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { type Command, Option, type OptionValues } from '@commander-js/extra-typings';
import type { Hub, IssuedKey, Scope } from '@hub/contract';
import type { Command as UntypedCommand } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addCommand } from '../../runtime/command-line.ts';
import type { Choice, Sink } from '../../runtime/deps.ts';
import { failed, usageError, writeReason } from '../../runtime/errors.ts';
import { styled, UNWRITABLE, unwritableReason } from '../../runtime/output.ts';
import { hubFor, shortScopes } from '../../runtime/resolve.ts';
import { addExpiryOptions, askExpiry, expiryText, readExpiry } from './expiry.ts';

export const DESCRIPTION = 'Say what the key is for, on one line (up to 200 characters)';
export const LINK = 'Link to more about it, such as a runbook';

export function addIssueKey(keys: UntypedCommand, cli: Cli): void {
  const command = addCommand(keys, 'issue', {
    about: 'Issue a key for one Hub; prompts for missing options',
    prints: ISSUED_PRINTS,
    examples: [
      'hubctl keys issue',
      'hubctl keys issue --hub Releases --name ci --scopes messages --expires-in 90d',
      'hubctl keys issue --hub Releases --name ci --scopes notes,todos --out ci.key',
    ],
  })
    .option('--hub <hub>', 'Set the Hub that the key posts to (ID or name); it cannot be changed later')
    .option('--name <name>', 'Name the key (up to 64 characters)')
    .option('--scopes <list>', 'Set what the key can create: one or more of messages,notes,todos')
    .option('--description <text>', DESCRIPTION)
    .option('--link <url>', LINK);
  const withExpiry = addExpiryOptions(command).addOption(
    new Option('--never-expires', 'Keep the key valid until it is revoked (default)').conflicts([
      'expiresIn',
      'expiresAt',
    ]),
  );
  addOutOption(withExpiry).action(async (options) => {
    // Report errors in the command line before any prompt.
    const scopesGiven = options.scopes === undefined ? undefined : await readScopes(options.scopes);
    const expiryGiven = readExpiry(options, cli.deps.clock.now());

    const hub = await hubFor(cli, options.hub);
    const name = await cli.text(options.name, 'Name of the key:', '--name');
    const scopes = await cli.valueOrPrompt(
      scopesGiven,
      (prompts) => prompts.chooseSome('What can the key create?', SCOPE_CHOICES),
      '--scopes',
    );
    // Scripts default to never; users who are prompted for other options anyway are prompted for the expiry, too.
    const isSettled = options.expiresIn !== undefined || options.expiresAt !== undefined || options.neverExpires;
    const wasAsked = options.hub === undefined || options.name === undefined || options.scopes === undefined;
    const asksExpiry = !isSettled && wasAsked && cli.canAsk;
    const expiry = asksExpiry ? await askExpiry(cli.deps.prompts, cli.deps.clock.now()) : expiryGiven;
    const { description, link } = options;
    const notes = { ...(description !== undefined && { description }), ...(link !== undefined && { link }) };
    const body = { hubId: hub.id, name, scopes, ...notes, ...expiry };

    await revealKey(
      cli,
      options.out,
      () => cli.api.request('POST /keys', { body }),
      (issued) => [
        `Issued key ${issued.name} (${issued.id}) for Hub ${issued.hubName}.`,
        `Scopes: ${shortScopes(issued).replaceAll(',', ', ')}. The key ${expiryText(issued, cli.deps.clock.now())}.`,
      ],
    );
    await warnOfNamesake(cli, hub, name.trim());
  });
}

/** Warns about another active key with the same name in the Hub, usually because a script ran twice. */
async function warnOfNamesake(cli: Cli, hub: Hub, name: string): Promise<void> {
  // The key was issued, so failing to list the keys must not look as if that had failed.
  const active = await cli.api.all('GET /keys', { query: { hubId: hub.id, state: 'active' } }).catch(() => []);
  const [, other] = active.filter((key) => key.name === name);
  if (!other) return;
  cli.output.warn(`Another active key in ${hub.name} is also named ${name}: ${other.hint}. To revoke that one:`);
  cli.output.note(`  hubctl keys revoke ${other.id}`);
}

// Loaded on demand: the scopes depend on schemas that are slow to load, and no other command needs them.
const loadScopes = () => import('@hub/contract/scopes');

async function readScopes(list: string): Promise<Scope[]> {
  const { ALL_SCOPES, parseScope } = await loadScopes();
  const words = list.split(',').map((word) => word.trim());
  const unknown = words.find((word) => parseScope(word) === null);
  if (unknown !== undefined) throw usageError(`Unknown scope "${unknown}".`, 'Use messages, notes or todos.');
  return ALL_SCOPES.filter((scope) => words.some((word) => parseScope(word) === scope));
}

/** The choices of the prompt, with only messages selected, as in the web app: most keys need no more. */
const SCOPE_CHOICES: Choice<Scope>[] = [
  { name: 'Messages', value: 'messages:create', isSelected: true },
  { name: 'Notes', value: 'notes:create' },
  { name: 'To-dos', value: 'todos:create' },
];

export function addOutOption<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command.option('--out <file>', 'Write the key to a new file that only you can read, instead of showing it');
}

export const ISSUED_PRINTS =
  'The key, on standard output. It is shown only once. Everything else goes to standard error.\n' +
  'With --json: {"id", "key", "hubId", "name", "scopes", "state", "expiresAt", …}.\n' +
  'With --out, the key is in the file and the JSON has "keyFile" instead of "key".';

/**
 * Creates a key on the server and reveals it: on the screen, in the JSON document, or in a file. The file is created
 * first, since a key that cannot be written is lost.
 */
export async function revealKey(
  cli: Cli,
  out: string | undefined,
  issue: () => Promise<IssuedKey>,
  describe: (issued: IssuedKey) => string[],
): Promise<void> {
  const { stdout } = cli.deps;
  if (out === undefined && stdout.problem !== undefined) {
    const reason = unwritableReason(stdout.problem);
    throw failed(UNWRITABLE, `Cannot show the key: ${reason}. No key was issued.`);
  }
  const issued = out === undefined ? await issue() : await issueIntoFile(out, issue);
  if (cli.json) {
    const { key, ...rest } = issued;
    cli.output.document(out === undefined ? issued : { ...rest, keyFile: out });
    return out === undefined ? await requireShown(stdout, issued) : undefined;
  }
  for (const line of describe(issued)) cli.output.note(line);
  if (out !== undefined) {
    cli.output.note(`Saved the key to ${out}, which only you can read. You won't see this key again.`);
    cli.output.note(styled('dim', `To post with it: hubctl post --key-file ${out} 'Hello'`));
    return;
  }
  cli.output.note();
  cli.output.line(issued.key);
  await requireShown(stdout, issued);
  cli.output.note();
  cli.output.note(styled('yellow', "Save this key now. You won't see it again."));
  cli.output.note('To post with it without leaving it in your shell history:');
  cli.output.note("  hubctl post --key-stdin 'Hello'", styled('dim', '   # then paste the key and press Enter'));
}

/** Fails if the key could not be shown, even if only the pipe was closed: the key is valid, but nobody has seen it. */
async function requireShown(stdout: Sink, issued: IssuedKey): Promise<void> {
  await stdout.drained();
  if (stdout.problem === undefined) return;
  const reason = stdout.problem === 'EPIPE' ? 'the output pipe is closed' : unwritableReason(stdout.problem);
  throw failed(
    UNWRITABLE,
    `The key ${issued.id} was issued, but could not be shown: ${reason}.`,
    'The key is valid, but its value is lost. Replace it (add --out FILE to save the new key to a file):\n' +
      `  hubctl keys replace ${issued.id}\n` +
      `Or revoke it:\n  hubctl keys revoke ${issued.id}`,
  );
}

async function issueIntoFile(path: string, issue: () => Promise<IssuedKey>): Promise<IssuedKey> {
  let file: number;
  try {
    file = openSync(path, 'wx', 0o600);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code === 'EEXIST' ? 'usage' : 'failed';
    const message = `Cannot write ${path}: ${writeReason(error)}. No key was issued.`;
    throw failed(code, message, 'Choose another file for --out.');
  }
  const issued = await issue().catch((error) => {
    unlinkSync(path);
    throw error;
  });
  try {
    writeFileSync(file, `${issued.key}\n`);
    fsyncSync(file);
    return issued;
  } catch (error) {
    throw failed(
      'failed',
      `The key ${issued.id} was issued, but ${path} could not be written: ${writeReason(error)}.`,
      `The key is lost. Free up disk space, then replace it: hubctl keys replace ${issued.id}`,
    );
  } finally {
    closeSync(file);
  }
}
