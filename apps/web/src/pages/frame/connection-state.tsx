import { isOnline } from '../../data/reachable.ts';
import { useIsDisconnected } from './use-is-disconnected.ts';

/** The connection status at the foot of the sidebar. The toast gives the details. */
export function ConnectionState() {
  const isDisconnected = useIsDisconnected();
  return (
    <span class={isDisconnected ? 'live is-off' : 'live'}>
      <span>{isDisconnected ? (isOnline.value ? 'Disconnected' : 'Offline') : 'Live'}</span>
    </span>
  );
}
