import { effect, signal } from '@preact/signals';
import { place, withQuery } from '../router/location.ts';

/** Where one was before one went to the settings: where their way back leads. */
export const lastPlace = signal('/stream');

effect(() => {
  const { path, query } = place.value;
  if (path === '/settings' || path.startsWith('/settings/')) return;
  lastPlace.value = withQuery(query);
});
