import type { NamedCharacters } from '@hub/contract/markdown/named-characters';
import { mayNameCharacters } from '@hub/contract/markdown/shortcodes';
import { signal } from '@preact/signals';

const names = signal<NamedCharacters | undefined>(undefined);
let loading: Promise<void> | null = null;

/** Returns the named characters if the text may contain one and they are loaded; see `loadedNames`. */
export function namesFor(text: string): NamedCharacters | undefined {
  return mayNameCharacters(text) ? loadedNames() : undefined;
}

/** Returns the named characters, or starts loading them and renders the calling component again. */
export function loadedNames(): NamedCharacters | undefined {
  // If loading fails, names stay as written.
  if (names.peek() === undefined) void loadNames().catch(() => {});
  return names.value;
}

/** @throws if the named characters cannot be loaded; the next call tries again. */
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
