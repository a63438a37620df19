import { Type } from '@sinclair/typebox';
import { readFields } from './read-fields.ts';
import { readOptionalJsonBody } from './read-json-body.ts';

const NO_FIELDS = Type.Object({}, { additionalProperties: false });

/** For what is told by its path alone. A sender of fields means something that would not be done: it is refused. */
export async function readNoFields(request: Request, noun: string): Promise<void> {
  readFields(NO_FIELDS, await readOptionalJsonBody(request), { noun });
}
