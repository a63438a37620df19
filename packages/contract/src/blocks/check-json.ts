import { LIMITS } from '../limits.ts';
import {
  isObject,
  keyProblem,
  type Problem,
  problemAt,
  propertyPath,
  type Tally,
  textProblem,
} from './block-problem.ts';

/**
 * Checks what JSON Schema cannot express: the text, numbers, depth and nested items of any JSON.
 *
 * Depth is the number of nested levels. An array and the objects that are its elements are one level; an object that is
 * a property is a level; empty arrays and objects are not. `level` is the number of levels around the value. The
 * recursion stops at the limit, so that no input can exhaust the stack.
 */
function checkJson(value: unknown, tally: Tally, level = 0): Problem | null {
  if (typeof value === 'string') {
    const problem = textProblem(value);
    return problem === null ? null : { path: '', problem };
  }
  if (typeof value === 'number') {
    // JSON.parse reads 1e999 as Infinity, which could only be stored as null.
    return Number.isFinite(value) ? null : { path: '', problem: 'is a number too large to store' };
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

/** Checks the properties of an object that is not a level itself, such as a block's `data` or an array element. */
export function checkMembers(object: Record<string, unknown>, tally: Tally, level = 0): Problem | null {
  for (const key of Object.keys(object)) {
    const issue = keyProblem(key);
    if (issue !== null) return issue;
    const inside = checkJson(object[key], tally, level);
    if (inside !== null) return problemAt(propertyPath(key), inside);
  }
  return null;
}

/**
 * Checks each element of an array and counts the elements as nested items. If an element is itself an array, its own
 * elements are counted instead, so that each table cell counts as one.
 */
function checkElements(
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

/**
 * Checks the data of a list, or one of its items. Only nested lists are levels of it: the depth of `meta`, and of what
 * plugins add to an item, counts from the item.
 */
export function checkList({ items, ...others }: Record<string, unknown>, tally: Tally, level = 0): Problem | null {
  const issue = checkMembers(others, tally);
  if (issue !== null) return issue;
  const inside = Array.isArray(items) ? checkListItems(items, tally, level) : checkJson(items, tally);
  return inside === null ? null : problemAt('.items', inside);
}

function checkListItems(items: readonly unknown[], tally: Tally, level: number): Problem | null {
  if (level >= LIMITS.blockDepth && items.length > 0) return depthProblem(level + levelsOfItems(items));
  return checkElements(items, tally, (item) =>
    isObject(item) ? checkList(item, tally, level + 1) : checkJson(item, tally, level + 1),
  );
}

/** Returns the number of levels of items in a list, which a hostile body can nest 40,000 times. */
function levelsOfItems(items: readonly unknown[]): number {
  let levels = 0;
  for (let level = items; level.length > 0; levels += 1) {
    level = level.flatMap((item) => (isObject(item) && Array.isArray(item.items) ? item.items : []));
  }
  return levels;
}

function depthProblem(depth: number): Problem {
  return { path: '', problem: `is nested too deeply: depth ${depth}, and the limit is ${LIMITS.blockDepth}` };
}

/** Returns the number of levels of a value. Uses its own stack, because a hostile value can have 500,000 levels. */
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
