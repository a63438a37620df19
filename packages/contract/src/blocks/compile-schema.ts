import { Kind, type TArray, type TObject, type TSchema, type TUnion } from '@sinclair/typebox';
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
import { checkElements, checkJson, depthProblem } from './check-json.ts';
import { ListItemObject, NestedItems } from './data-schemas.ts';
import { phrase } from './schema-phrase.ts';

/** Checks one value. `level` is the number of arrays around it in the data of its block. */
export type Check = (value: unknown, tally: Tally, level: number) => Problem | null;

const compiled = new Map<TSchema, Check>();

/**
 * Compiles a schema of `data-schemas.ts` into a function that checks a value and returns a readable problem with its
 * path. It is several times faster than a general validator and supports only the kinds that these schemas use.
 */
export function compileSchema(schema: TSchema): Check {
  let check = compiled.get(schema);
  if (check === undefined) {
    check = compileKind(schema);
    compiled.set(schema, check);
  }
  return check;
}

function compileKind(schema: TSchema): Check {
  if (schema === NestedItems) return compileArray(schema, (...element) => compileSchema(ListItemObject)(...element));
  switch (schema[Kind]) {
    case 'String':
      return compileString(schema);
    case 'Integer': {
      const { minimum, maximum } = schema;
      const inRange = (value: unknown) =>
        Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
      return unless(inRange, schema);
    }
    case 'Boolean':
      return unless((value) => typeof value === 'boolean', schema);
    case 'Array':
      return compileArray(schema, compileSchema((schema as TArray).items));
    case 'Object':
      return compileObject(schema as TObject);
    case 'Union':
      return compileUnion(schema as TUnion);
    default:
      throw new Error(`The schemas of blocks must not use ${schema[Kind]}: compile-schema.ts cannot check it.`);
  }
}

function unless(accepts: (value: unknown) => boolean, schema: TSchema): Check {
  const issue = mustBe(schema);
  return (value) => (accepts(value) ? null : issue);
}

function compileString(schema: TSchema): Check {
  const issue = mustBe(schema);
  const pattern = schema.pattern === undefined ? null : new RegExp(schema.pattern);
  return (value) => {
    if (typeof value !== 'string') return issue;
    const problem = textProblem(value);
    if (problem !== null) return { path: '', problem };
    return pattern === null || (pattern.test(value) && URL.canParse(value)) ? null : issue;
  };
}

function compileArray(schema: TSchema, checkElement: Check): Check {
  const issue = mustBe(schema);
  return (value, tally, level) => {
    if (!Array.isArray(value)) return issue;
    if (level >= LIMITS.blockDepth && value.length > 0) return depthProblem(level + levelsOfItems(value));
    return checkElements(value, tally, (element) => checkElement(element, tally, level + 1));
  };
}

/** Returns the number of levels of items in an array. Only list items can be nested deep enough to reach the limit. */
function levelsOfItems(items: readonly unknown[]): number {
  let levels = 0;
  for (let level = items; level.length > 0; levels += 1) {
    level = level.flatMap((item) => (isObject(item) && Array.isArray(item.items) ? item.items : []));
  }
  return levels;
}

function compileObject(schema: TObject): Check {
  const issue = mustBe(schema);
  const fields = new Map(Object.entries(schema.properties).map(([name, field]) => [name, compileSchema(field)]));
  const missing = (schema.required ?? []).map((name): [string, Problem] => {
    const problem = `is missing; it must be ${phrase(schema.properties[name] as TSchema)}`;
    return [name, { path: propertyPath(name), problem }];
  });
  return (value, tally, level) => {
    if (!isObject(value)) return issue;
    for (const [name, absence] of missing) if (!Object.hasOwn(value, name)) return absence;
    for (const name of Object.keys(value)) {
      const check = fields.get(name);
      const inName = check === undefined ? keyProblem(name) : null;
      if (inName !== null) return inName;
      const inside = check === undefined ? checkJson(value[name], tally) : check(value[name], tally, level);
      if (inside !== null) return problemAt(propertyPath(name), inside);
    }
    return null;
  };
}

/** A union consists of literals, null, a string, or objects that differ in a required field. */
function compileUnion(schema: TUnion): Check {
  const issue = mustBe(schema);
  const literals = new Set(schema.anyOf.flatMap((member) => (member[Kind] === 'Literal' ? [member.const] : [])));
  const orNull = schema.anyOf.some((member) => member[Kind] === 'Null');
  const others = schema.anyOf.filter((member) => member[Kind] !== 'Literal' && member[Kind] !== 'Null');
  const objects = others.filter((member) => member[Kind] === 'Object') as TObject[];
  const scalar = others.find((member) => member[Kind] !== 'Object');
  const checkScalar = scalar === undefined ? null : compileSchema(scalar);
  const checkObject = objects.length === 0 ? null : compileChoice(objects);
  return (value, tally, level) => {
    if ((value === null && orNull) || literals.has(value)) return null;
    if (isObject(value) && checkObject !== null) return checkObject(value, tally, level);
    if (checkScalar === null || (checkObject !== null && typeof value !== 'string')) return issue;
    return checkScalar(value, tally, level);
  };
}

/** Checks an object against the first of several forms whose required fields are all present. */
function compileChoice(forms: readonly TObject[]): Check {
  const choices = forms.map((form) => ({ required: form.required ?? [], check: compileSchema(form) }));
  const only = choices.length === 1 ? choices[0] : undefined;
  const problem = `needs ${choices.map((choice) => choice.required.join(' and ')).join(' or ')}`;
  return (value, tally, level) => {
    const object = value as Record<string, unknown>;
    const isPresent = (name: string) => Object.hasOwn(object, name) && object[name] !== null;
    const meant = only ?? choices.find((choice) => choice.required.every(isPresent));
    return meant === undefined ? { path: '', problem } : meant.check(value, tally, level);
  };
}

function mustBe(schema: TSchema): Problem {
  return { path: '', problem: `must be ${phrase(schema)}` };
}
