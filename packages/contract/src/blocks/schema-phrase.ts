import { Kind, type TSchema, type TUnion } from '@sinclair/typebox';

/** Describes a valid value, in a phrase that follows "must be". */
export function phrase(schema: TSchema): string {
  switch (schema[Kind]) {
    case 'String':
      return schema.pattern === undefined ? 'a string' : 'an https URL';
    case 'Integer':
      return `${schema.minimum} to ${schema.maximum}`;
    case 'Boolean':
      return 'true or false';
    case 'Array':
      return 'an array';
    case 'Literal':
      return JSON.stringify(schema.const);
    case 'Union':
      return eitherOf((schema as TUnion).anyOf.filter((member) => member[Kind] !== 'Null').map(phrase));
    default:
      return 'an object';
  }
}

function eitherOf(phrases: readonly string[]): string {
  const distinct = [...new Set(phrases)];
  const last = distinct.pop() ?? '';
  return distinct.length === 0 ? last : `${distinct.join(', ')} or ${last}`;
}
