import { effect, signal } from '@preact/signals';
import { route, withQuery } from '../../lib/router/location.ts';

/** The path of the last page outside the settings, for their back link. */
export const lastPage = signal('/stream');

effect(() => {
  const { path, query } = route.value;
  if (path === '/settings' || path.startsWith('/settings/')) return;
  lastPage.value = withQuery(query);
});
