import type { TSchema } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import { LIMITS } from '../limits.ts';
import { nearestWord } from '../nearest-word.ts';
import { isObject, type Problem, problemAt, propertyPath, type Tally, textProblem } from './block-problem.ts';
import { checkList, checkMembers } from './check-json.ts';
import { explainData, imageUrlProblem } from './explain-data.ts';
import { foreignFormatMessage } from './foreign-format.ts';
import { type Block, dataSchemaOf } from './schema.ts';

type BlocksResult = { ok: true; blocks: Block[] } | { ok: false; message: string };

const BLOCK_FIELDS = ['id', 'type', 'data', 'tunes'] as const;
/** The types of blocks with list items. */
const LISTS: readonly unknown[] = ['list', 'checklist'];

/**
 * Checks the parsed JSON value of a `blocks` field. An accepted value is returned unchanged, as the same object. An
 * error message names the path and what to change; for a limit, it names the limit and the actual size.
 *
 * Nested items are the elements of all arrays inside the blocks, at every level. In an array of arrays, only the inner
 * elements count. So each list item counts as one at any level, and so does each table cell. Depth is the number of
 * nested levels of items; `check-json.ts` defines it.
 *
 * Blocks without visible content, such as a paragraph of "" or a single delimiter, are still blocks: only an empty
 * array is treated as absent. They produce an empty-looking message, as in Editor.js itself; a view should give it some
 * height.
 */
export function checkBlocks(value: unknown): BlocksResult {
  if (!Array.isArray(value)) return rejected(foreignFormatMessage(value) ?? notAnArray(value));
  if (value.length > LIMITS.blocks) {
    return rejected(
      foreignFormatMessage(value) ?? `blocks has ${value.length} elements; the limit is ${LIMITS.blocks}`,
    );
  }
  const tally: Tally = { nestedItems: 0 };
  for (let index = 0; index < value.length; index += 1) {
    const issue = checkBlock(value[index], tally);
    if (issue !== null) {
      return rejected(foreignFormatMessage(value) ?? `blocks[${index}]${issue.path} ${issue.problem}`);
    }
  }
  if (tally.nestedItems > LIMITS.nestedBlockItems) {
    return rejected(
      `blocks has ${tally.nestedItems} nested items (list items and table cells, at every level); the limit is ${LIMITS.nestedBlockItems}`,
    );
  }
  const bytes = serialisedBytes(value);
  if (bytes > LIMITS.blocksBytes) {
    return rejected(
      `blocks is ${bytes} bytes as JSON; the limit is ${LIMITS.blocksBytes} (${LIMITS.blocksBytes / 1024} KiB)`,
    );
  }
  return { ok: true, blocks: value };
}

function rejected(message: string): BlocksResult {
  return { ok: false, message };
}

function notAnArray(value: unknown): string {
  const isWholeOutput = isObject(value) && Array.isArray(value.blocks);
  return isWholeOutput
    ? "blocks must be an array: send the `blocks` of what Editor.js' save() returns, not the whole object"
    : 'blocks must be an array of Editor.js blocks';
}

function checkBlock(block: unknown, tally: Tally): Problem | null {
  if (!isObject(block)) return { path: '', problem: 'must be an object with a string `type` and an object `data`' };
  for (const key of Object.keys(block)) {
    if (!(BLOCK_FIELDS as readonly string[]).includes(key)) return unknownField(key);
  }
  const { id, type, data, tunes } = block;
  const issue = checkIdentifier('type', type) ?? (id === undefined || id === null ? null : checkIdentifier('id', id));
  if (issue !== null) return issue;
  if (!isObject(data))
    return { path: '.data', problem: data === undefined ? 'is missing; it must be an object' : 'must be an object' };
  const inData = LISTS.includes(type) ? checkList(data, tally) : checkMembers(data, tally);
  if (inData !== null) return problemAt('.data', inData);
  // Explaining an error takes time for each item.
  const isTooLong = tally.nestedItems > LIMITS.nestedBlockItems;
  const bySchema = isTooLong ? null : checkData(type as string, data);
  if (bySchema !== null) return problemAt('.data', bySchema);
  if (tunes === undefined || tunes === null) return null;
  if (!isObject(tunes)) return { path: '.tunes', problem: 'must be an object' };
  const inTunes = checkMembers(tunes, tally);
  return inTunes === null ? null : problemAt('.tunes', inTunes);
}

const validators = new Map<string, TypeCheck<TSchema>>();

/** Checks data by the schema of its type, which is compiled for the first block of this type. */
function checkData(type: string, data: Record<string, unknown>): Problem | null {
  const schema = dataSchemaOf.get(type);
  if (schema === undefined) return null;
  const validator = validators.get(type) ?? TypeCompiler.Compile(schema);
  validators.set(type, validator);
  if (!validator.Check(data)) return explainData(validator.Errors(data));
  return type === 'image' ? imageUrlProblem(data) : null;
}

function checkIdentifier(field: 'id' | 'type', word: unknown): Problem | null {
  if (typeof word !== 'string') {
    return { path: `.${field}`, problem: word === undefined ? 'is missing; it must be a string' : 'must be a string' };
  }
  const problem = textProblem(word);
  return problem === null ? null : { path: `.${field}`, problem };
}

function unknownField(key: string): Problem {
  const meant = nearestWord(key, BLOCK_FIELDS);
  const hint = meant === undefined ? `; a block has ${BLOCK_FIELDS.join(', ')}` : `; did you mean ${meant}?`;
  return { path: propertyPath(key), problem: `is not a field of a block${hint}` };
}

/**
 * Returns the size of the value as compact JSON in UTF-8. A UTF-16 unit takes at most three bytes, so a value that is
 * certain to be below the limit is not encoded, and its number of UTF-16 units is returned instead.
 */
function serialisedBytes(value: unknown): number {
  const json = JSON.stringify(value);
  return json.length * 3 <= LIMITS.blocksBytes ? json.length : new TextEncoder().encode(json).length;
}
