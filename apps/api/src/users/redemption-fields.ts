import type { LinkKind, RedeemLinkBody } from '@hub/contract';
import { AppError } from '../errors.ts';

type Field = Exclude<keyof RedeemLinkBody, 'token' | 'password'>;

interface Rule {
  noun: string;
  required: readonly Field[];
  optional: readonly Field[];
}

/** The fields besides the token and the password, which every link takes. */
const RULES: Readonly<Record<LinkKind, Rule>> = {
  setup: { noun: 'a setup', required: ['email', 'name'], optional: ['hubName', 'workspaceName'] },
  invitation: { noun: 'accepting an invitation', required: ['name'], optional: [] },
  password_reset: { noun: 'a password reset', required: [], optional: [] },
};

/** Throws `invalid` for a field that this kind of link does not take, or for a missing field that it requires. */
export function requireFieldsOf(kind: LinkKind, body: RedeemLinkBody): void {
  const { noun, required, optional } = RULES[kind];
  const takes = ['token', 'password', ...required, ...optional];
  const foreign = Object.keys(body).find((name) => !takes.includes(name));
  if (foreign !== undefined) {
    throw new AppError('invalid', `${foreign} is not a field of ${noun}; its fields are ${takes.join(', ')}`);
  }
  const missing = required.find((name) => body[name] === undefined);
  if (missing !== undefined) throw new AppError('invalid', `${missing} is required in ${noun}`);
}
