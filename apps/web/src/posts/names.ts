import type { NamedCharacters } from '@hub/contract/markdown/named-characters';
import { mayNameCharacters } from '@hub/contract/markdown/shortcodes';
import { signal } from '@preact/signals';

const names = signal<NamedCharacters | undefined>(undefined);
let loading: Promise<void> | null = null;

/**
 * Returns the characters that have names, if the text may name one and they are here. Otherwise they come a moment later: a component
 * that asks is drawn again.
 */
export function namesFor(text: string): NamedCharacters | undefined {
  if (!mayNameCharacters(text)) return undefined;
  // Without them, names stay as they were written.
  if (names.peek() === undefined) void loadNames().catch(() => {});
  return names.value;
}

/** @throws if they cannot be loaded; the next call tries again. */
export function loadNames(): Promise<void> {
  loading ??= import('@hub/contract/markdown/named-characters').then(
    ({ namedCharacters }) => {
      names.value = namedCharacters;
    },
    (error: unknown) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}
