import { isOnline } from '../api/reachable.ts';
import { useIsAway } from './away.ts';

/** Quiet: what there is to say, the notice says. */
export function ConnectionState() {
  const isAway = useIsAway();
  return (
    <span class={isAway ? 'live is-off' : 'live'}>
      <span>{isAway ? (isOnline.value ? 'Disconnected' : 'Offline') : 'Live'}</span>
    </span>
  );
}
