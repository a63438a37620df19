import { LIMITS } from '../limits.ts';
import {
  isObject,
  keyProblem,
  type Problem,
  problemAt,
  propertyPlace,
  type Tally,
  textProblem,
} from './block-problem.ts';

/**
 * Checks JSON of no known form: the data of unknown block types, tunes, and properties that plugins add.
 *
 * Depth counts the levels within one another. An array is a level, together with the objects that are its elements; an
 * object that is a property is a level; what is empty is none. `level` is how many levels enclose the value. The
 * recursion ends at the limit, so that no input can exhaust the stack.
 */
export function checkJson(value: unknown, tally: Tally, level = 0): Problem | null {
  if (typeof value === 'string') {
    const problem = textProblem(value);
    return problem === null ? null : { place: '', problem };
  }
  if (typeof value === 'number') {
    // JSON.parse reads 1e999 as Infinity, which could only be stored as null.
    return Number.isFinite(value) ? null : { place: '', problem: 'is a number too large to keep' };
  }
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) {
    if (level >= LIMITS.blockDepth && value.length > 0) return depthProblem(level + levelsOf(value));
    return checkElements(value, tally, (element) =>
      isObject(element) ? checkMembers(element, tally, level + 1) : checkJson(element, tally, level + 1),
    );
  }
  if (level >= LIMITS.blockDepth && Object.keys(value).length > 0) return depthProblem(level + levelsOf(value));
  return checkMembers(value as Record<string, unknown>, tally, level + 1);
}

/** Checks the properties of an object that is no level of its own, as a block's `data` or an element of an array. */
export function checkMembers(object: Record<string, unknown>, tally: Tally, level = 0): Problem | null {
  for (const key of Object.keys(object)) {
    const issue = keyProblem(key);
    if (issue !== null) return issue;
    const inside = checkJson(object[key], tally, level);
    if (inside !== null) return problemAt(propertyPlace(key), inside);
  }
  return null;
}

/**
 * Checks each element of an array and counts the elements as nested items. An element that is an array itself is not
 * counted but its elements are, so a table counts its cells.
 */
export function checkElements(
  array: readonly unknown[],
  tally: Tally,
  checkElement: (element: unknown) => Problem | null,
): Problem | null {
  for (let index = 0; index < array.length; index += 1) {
    const element = array[index];
    if (!Array.isArray(element) || element.length === 0) tally.nestedItems += 1;
    const issue = checkElement(element);
    if (issue !== null) return problemAt(`[${index}]`, issue);
  }
  return null;
}

export function depthProblem(depth: number): Problem {
  return { place: '', problem: `is nested too deeply: depth ${depth}, and the limit is ${LIMITS.blockDepth}` };
}

/** How many levels a value has. It keeps its own stack, because a hostile value can have half a million. */
function levelsOf(value: object): number {
  let deepest = 0;
  const pending: { value: object; enclosing: number; inArray: boolean }[] = [{ value, enclosing: 0, inArray: false }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const isArray = Array.isArray(next.value);
    const members: unknown[] = Object.values(next.value);
    const level = next.enclosing + (next.inArray && !isArray ? 0 : 1);
    if (members.length > 0 && level > deepest) deepest = level;
    for (const member of members) {
      if (typeof member === 'object' && member !== null)
        pending.push({ value: member, enclosing: level, inArray: isArray });
    }
  }
  return deepest;
}
