import { readFileSync } from 'node:fs';
import { AppError } from '../../platform/errors.ts';
import { programFile } from '../../platform/program-files.ts';
import type { Repositories } from '../../storage/repositories.ts';
import type { NameKeys } from '../../storage/users.ts';

/** Names that would pass for the server, a role or everyone. */
const RESERVED =
  'admin|administrator|all|bot|channel|everyone|here|hub|hubctl|local admin|moderator|owner|server|system|workspace'.split(
    '|',
  );

/** Reserved names that the bot may have. */
const FOR_BOTS = /^(?:bot|hub|hubctl|workspace)$/;

/** Maps characters to those that they look like. It is read when the first name is given. */
let confusables: ReadonlyMap<string, string> | undefined;
let reserved: ReadonlySet<string> | undefined;

/**
 * Returns the forms of a name that no other user may have. `caseless` ignores case and then look-alikes; `skeleton`
 * takes letters for what they look like first: `Н` looks like `H`, but `н` not like `h` (Unicode Technical Standard 39,
 * section 4). Both ignore compatibility forms, spaces and invisible characters.
 */
export function nameKeys(name: string): NameKeys {
  const plain = name.normalize('NFKC').replace(/\s+/g, ' ').trim();
  return { caselessName: caseless(lookOf(caseless(plain))), skeletonName: caseless(lookOf(plain)) };
}

/**
 * Throws `conflict` if the name is reserved, or that of another user or the bot, or like it. Must run in the
 * transaction that writes the name: reading the bot's name first keeps the bot from taking it.
 */
export async function requireFreeName(
  tx: Pick<Repositories, 'users' | 'workspace'>,
  { id, name }: { id: string; name: string },
): Promise<void> {
  const { botName } = await tx.workspace.find();
  const keys = nameKeys(name);
  if (areAlike(keys, nameKeys(botName))) {
    throw new AppError('conflict', `The name “${name}” is too similar to that of the bot. Choose another one.`);
  }
  if (isReserved(keys)) throw reservedName(name);
  const other = await tx.users.findByName(keys, id);
  if (other) throw taken(name, other.name);
}

/** Throws `conflict` if a user has this name of the bot, or one that looks like it, or if it is that of a role. */
export async function requireFreeBotName(tx: Pick<Repositories, 'users'>, name: string): Promise<void> {
  const keys = nameKeys(name);
  if (isReserved(keys) && !FOR_BOTS.test(keys.caselessName)) throw reservedName(name);
  const other = await tx.users.findByName(keys, null);
  if (other) throw taken(name, other.name);
}

function reservedName(name: string): AppError {
  return new AppError('conflict', `The name “${name}” is reserved. Choose another one.`);
}

function taken(name: string, other: string): AppError {
  const reason = name === other ? 'is already taken' : `is too similar to “${other}”`;
  return new AppError('conflict', `The name “${name}” ${reason}. Choose another one, such as one with a last name.`);
}

function areAlike(one: NameKeys, other: NameKeys): boolean {
  return one.caselessName === other.caselessName || one.skeletonName === other.skeletonName;
}

function isReserved({ caselessName, skeletonName }: NameKeys): boolean {
  reserved ??= new Set(RESERVED.map((word) => coarse(nameKeys(word).caselessName)));
  return reserved.has(coarse(caselessName)) || reserved.has(coarse(skeletonName));
}

/** An `I` and a `1` look like an `l`, and signs are overlooked. Too strict for the names of people. */
function coarse(key: string): string {
  return key.replaceAll('i', 'l').replace(/[^\p{L}\p{N}]/gu, '');
}

/** Ignores letter case, one character at a time: the lower case of a sigma depends on what stands beside it. */
function caseless(text: string): string {
  return Array.from(text.normalize('NFC'), (character) => character.toUpperCase().toLowerCase())
    .join('')
    .normalize('NFD');
}

/** Replaces each character by what it looks like (`skeleton` in Unicode Technical Standard 39, section 4). */
function lookOf(text: string): string {
  confusables ??= readConfusables();
  const visible = text.normalize('NFD').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  return Array.from(visible, (character) => confusables?.get(character) ?? character)
    .join('')
    .normalize('NFD');
}

function readConfusables(): ReadonlyMap<string, string> {
  const lines = readFileSync(programFile(import.meta.dir, 'confusables.txt'), 'utf8').split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [look = '', characters = ''] = line.split('\t');
      return Array.from(characters, (character) => [character, look] as const);
    }),
  );
}
