import { formToken, KEY_PREFIX } from '@hub/contract/key-token';

/** A key of the right form that no server knows. */
export const TEST_KEY = formToken(KEY_PREFIX, 'Test'.padEnd(34, '0'));

/** Another key of the right form, so that a test has a pacer of its own. */
export function testKey(name: string): string {
  return formToken(KEY_PREFIX, name.padEnd(34, '0'));
}
