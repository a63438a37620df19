import { Type } from '@sinclair/typebox';
import { readFields } from './read-fields.ts';
import { readOptionalJsonBody } from './read-json-body.ts';

const NO_FIELDS = Type.Object({}, { additionalProperties: false });

/** Rejects any field for an operation that has none, since the sender expects something that will not happen. */
export async function readNoFields(request: Request, noun: string): Promise<void> {
  readFields(NO_FIELDS, await readOptionalJsonBody(request), { noun });
}
